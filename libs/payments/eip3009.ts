import { Interface } from 'ethers/abi';
import { Signature, keccak256 } from 'ethers/crypto';
import { concat, zeroPadValue } from 'ethers/utils';
import { type TypedDataDomain, TypedDataEncoder } from 'ethers/hash';
import type { ContractCall, Rail, TransferAuthorization } from './chain.port.js';

const FIELDS = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
];
const ENCODERS = {
  TransferWithAuthorization: TypedDataEncoder.from({ TransferWithAuthorization: FIELDS }),
  /** Only the recipient can send it. */
  ReceiveWithAuthorization: TypedDataEncoder.from({ ReceiveWithAuthorization: FIELDS }),
};
export type SignedMessage = keyof typeof ENCODERS;
const separators = new WeakMap<Rail, string>();
export const KEY_SIGNATURE = /^0x[0-9a-f]{130}$/i;
const AUTHORIZED = 'address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce';
const TRANSFER_BY_KEY = `function transferWithAuthorization(${AUTHORIZED}, uint8 v, bytes32 r, bytes32 s)`;
const TRANSFER_BY_WALLET = `function transferWithAuthorization(${AUTHORIZED}, bytes signature)`;

export const TOKEN = new Interface([
  TRANSFER_BY_KEY,
  TRANSFER_BY_WALLET,
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);
const BY_KEY = TOKEN.getFunction(TRANSFER_BY_KEY)!;
const BY_WALLET = TOKEN.getFunction(TRANSFER_BY_WALLET)!;

function topicOf(event: string): string {
  return TOKEN.getEvent(event)!.topicHash;
}

export const AUTHORIZATION_USED = topicOf('AuthorizationUsed');
export const AUTHORIZATION_CANCELED = topicOf('AuthorizationCanceled');
export const TRANSFER = topicOf('Transfer');

export const addressTopic = (address: string): string => zeroPadValue(address, 32).toLowerCase();
/** Address of a topic, or of another word. */
export const addressIn = (word: string): string => `0x${word.slice(-40)}`;

function domainOf(rail: Rail): TypedDataDomain {
  return { ...rail.domain, chainId: rail.chainId, verifyingContract: rail.asset };
}

export function expectedDomainSeparator(rail: Rail): string {
  return TypedDataEncoder.hashDomain(domainOf(rail));
}

export const isDomainSeparator = (rail: Rail, separator: string): boolean =>
  separator.toLowerCase() === expectedDomainSeparator(rail).toLowerCase();

/** Equals `TypedDataEncoder.hash`, which derives the encoder and the domain separator again at each call. */
export function transferAuthorizationDigest(
  rail: Rail,
  authorization: TransferAuthorization,
  message: SignedMessage = 'TransferWithAuthorization',
): string {
  const separator = separators.get(rail) ?? expectedDomainSeparator(rail);
  separators.set(rail, separator);
  return keccak256(concat(['0x1901', separator, ENCODERS[message].hash(authorization)]));
}

/**
 * Calls `transferWithAuthorization` with the parts of a signature of 65 bytes, or with any other signature as bytes.
 * USDC asks a payer that has code in both forms.
 */
export function transferCall({ asset }: Rail, authorization: TransferAuthorization, signature: string): ContractCall {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const values = [from, to, value, validAfter, validBefore, nonce];
  const parts = signatureParts(signature);
  const data = parts
    ? TOKEN.encodeFunctionData(BY_KEY, [...values, ...parts])
    : TOKEN.encodeFunctionData(BY_WALLET, [...values, signature]);
  return { to: asset, data };
}

function signatureParts(signature: string): [v: number, r: string, s: string] | null {
  if (!KEY_SIGNATURE.test(signature)) return null;
  try {
    const { v, r, s } = Signature.from(signature);
    return [v, r, s];
  } catch {
    return null;
  }
}

/** Authorization and signature of a call of `transferCall`. */
export function decodeTransfer({
  data,
  undeployed,
}: ContractCall): TransferAuthorization & { readonly signature: string } {
  const { args } = TOKEN.parseTransaction({ data })!;
  const text = (name: string) => String(args[name]);
  const [from, to, value] = [text('from'), text('to'), text('value')];
  const times = { validAfter: text('validAfter'), validBefore: text('validBefore'), nonce: text('nonce') };
  const { v, r, s, signature } = args.toObject() as { [name: string]: string };
  const inner = signature ?? Signature.from({ v: Number(v), r: r!, s: s! }).serialized;
  return { from, to, value, ...times, signature: undeployed?.signature ?? inner };
}
