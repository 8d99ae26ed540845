import { Field } from '@noble/curves/abstract/modular';
import { weierstrass } from '@noble/curves/abstract/weierstrass';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, randomBytes } from '@noble/hashes/utils.js';

type Hash = Parameters<typeof weierstrass>[0]['hash'];

/** Shares its hash functions with the rest of the page, which the curve of the package does not. */
const secp256k1 = weierstrass({
  a: 0n,
  b: 7n,
  Fp: Field(2n ** 256n - 2n ** 32n - 977n),
  n: 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n,
  Gx: 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  Gy: 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
  h: 1n,
  lowS: true,
  // Its type also allows texts, which are never hashed here.
  hash: sha256 as Hash,
  hmac: (key, ...messages) => hmac(sha256, key, concatBytes(...messages)),
  randomBytes,
});

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
