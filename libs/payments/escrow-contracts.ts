import { ESCROW_VERSIONS, type EscrowVersion } from '#libs/kernel/escrow-version.js';

/** Contracts of the Base Commerce Payments Protocol, which hold the payments of the x402 scheme `auth-capture`. */
export interface EscrowContracts {
  readonly escrow: string;
  /** Collects a payment by EIP-3009. */
  readonly collector: string;
}

/** Addresses on Base by version. No other rail has them. */
export const ESCROW_CONTRACTS = {
  'v1.1': {
    escrow: '0xf96815976523E00e65Be8f34cA5e64b4f41EB19c',
    collector: '0x8612dfdc421f80336cd14E8EF9cb1E765dB5ab88',
  },
  'v1.0': {
    escrow: '0xBdEA0D1bcC5966192B070Fdf62aB4EF5b4420cff',
    collector: '0x0E3dF9510de65469C4518D7843919c0b8C7A7757',
  },
} as const satisfies { readonly [version in EscrowVersion]: EscrowContracts };

const findVersion = (escrow: string) =>
  ESCROW_VERSIONS.find(each => ESCROW_CONTRACTS[each].escrow.toLowerCase() === escrow.toLowerCase());

export const isEscrowContract = (address: string): boolean => findVersion(address) !== undefined;

export function findEscrowVersion(escrow: string): EscrowVersion {
  const version = findVersion(escrow);
  if (!version) throw new Error(`No version of the escrow has the address ${escrow}.`);
  return version;
}
