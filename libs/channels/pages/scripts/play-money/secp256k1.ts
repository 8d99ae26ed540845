import { secp256k1 } from '@noble/curves/secp256k1';
import { bytesToHex } from '@noble/hashes/utils.js';
import { keccak_256 } from '@noble/hashes/sha3.js';

const RECOVERY_OFFSET = 27;
const ADDRESS_BYTES = 20;

export const newSecret = (): Uint8Array => secp256k1.utils.randomPrivateKey();

/** Lower-case address of the account of a secret. */
export const addressOf = (secret: Uint8Array): string =>
  `0x${bytesToHex(keccak_256(secp256k1.getPublicKey(secret, false).slice(1)).slice(-ADDRESS_BYTES))}`;

/** 65 bytes in hex: r, s and the recovery id. */
export function signHash(secret: Uint8Array, hash: Uint8Array): string {
  const signature = secp256k1.sign(hash, secret);
  return `0x${signature.toCompactHex()}${(RECOVERY_OFFSET + signature.recovery).toString(16)}`;
}
