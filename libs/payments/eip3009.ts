import { Interface } from 'ethers/abi';
import { Signature, keccak256 } from 'ethers/crypto';
import { computeAddress } from 'ethers/transaction';
import { concat, getBytes, hexlify, zeroPadValue } from 'ethers/utils';
import { type TypedDataDomain, TypedDataEncoder } from 'ethers/hash';
import type { ContractCall, Rail, TransferAuthorization } from './chain.port.js';

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
};
const ENCODER = TypedDataEncoder.from(TYPES);
const separators = new WeakMap<Rail, string>();
const SIGNATURE = /^0x[0-9a-f]{130}$/i;

export const TOKEN = new Interface([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);

function topicOf(event: string): string {
  return TOKEN.getEvent(event)!.topicHash;
}

export const AUTHORIZATION_USED = topicOf('AuthorizationUsed');
export const AUTHORIZATION_CANCELED = topicOf('AuthorizationCanceled');
export const TRANSFER = topicOf('Transfer');

export const addressTopic = (address: string): string => zeroPadValue(address, 32).toLowerCase();

function domainOf(rail: Rail): TypedDataDomain {
  return { ...rail.domain, chainId: rail.chainId, verifyingContract: rail.asset };
}

export function expectedDomainSeparator(rail: Rail): string {
  return TypedDataEncoder.hashDomain(domainOf(rail));
}

export const isDomainSeparator = (rail: Rail, separator: string): boolean =>
  separator.toLowerCase() === expectedDomainSeparator(rail).toLowerCase();

/** Equals `TypedDataEncoder.hash`, which derives the encoder and the domain separator again at each call. */
export function transferAuthorizationDigest(rail: Rail, authorization: TransferAuthorization): string {
  const separator = separators.get(rail) ?? expectedDomainSeparator(rail);
  separators.set(rail, separator);
  return keccak256(concat(['0x1901', separator, ENCODER.hash(authorization)]));
}

/**
 * Recovers the signer. Null if the signature is malformed, including a high `s` or another `v`, which tokens refuse.
 */
export async function recoverPayer(
  rail: Rail,
  authorization: TransferAuthorization,
  signature: string,
): Promise<string | null> {
  if (!SIGNATURE.test(signature)) return null;
  // `libsecp256k1` takes an eighth of the time of `ethers`. Loaded on first use to keep the start fast.
  const { recover } = await import('tiny-secp256k1');
  try {
    const { r, s, yParity } = Signature.from(signature);
    const digest = getBytes(transferAuthorizationDigest(rail, authorization));
    const publicKey = recover(digest, getBytes(concat([r, s])), yParity, false);
    return publicKey && computeAddress(hexlify(publicKey));
  } catch {
    return null;
  }
}

/** Calls `transferWithAuthorization`. Throws for a signature that is not 65 bytes. */
export function transferCall({ asset }: Rail, authorization: TransferAuthorization, signature: string): ContractCall {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const { v, r, s } = Signature.from(signature);
  const values = [from, to, value, validAfter, validBefore, nonce, v, r, s];
  return { to: asset, data: TOKEN.encodeFunctionData('transferWithAuthorization', values) };
}
