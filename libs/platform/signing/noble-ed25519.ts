import { sha512 } from '@noble/hashes/sha2.js';
import { etc, getPublicKey, hash, hashes, Point, sign, verify } from '@noble/ed25519';
import { decodeBase64url, encodeBase64url } from './base64url.js';

/** Independent ed25519 for test vectors, the auditor and browsers. 20 times slower than node:crypto. */
hashes.sha512 = sha512;

const STRICT = { zip215: false };
const utf8 = new TextEncoder();

type Message = string | Uint8Array;

function bytesOf(message: Message): Uint8Array {
  return typeof message === 'string' ? utf8.encode(message) : message;
}

function scalarOf(littleEndian: Uint8Array): bigint {
  return BigInt(`0x${etc.bytesToHex(new Uint8Array(littleEndian).reverse())}`);
}

/** `R = [S]B - [k]A` without the cofactor. Noble's own equation accepts some signatures that node:crypto refuses. */
function holdsWithoutCofactor(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const r = signature.subarray(0, 32);
  const k = scalarOf(hash(etc.concatBytes(r, key, message))) % Point.CURVE().n;
  const sB = Point.BASE.multiply(scalarOf(signature.subarray(32)), false);
  const actual = sB.subtract(Point.fromBytes(key).multiply(k, false));
  return actual.toHex() === etc.bytesToHex(r);
}

const isSmallOrder = (signatureBytes: Uint8Array): boolean =>
  Point.fromBytes(signatureBytes.subarray(0, 32)).isSmallOrder();

/** Equivalent to `verifyStrict`. */
export function verifyNoble(publicKey: string, message: Message, signature: string): boolean {
  const key = decodeBase64url(publicKey, 32);
  const signatureBytes = decodeBase64url(signature, 64);
  if (!key || !signatureBytes) return false;
  const bytes = bytesOf(message);
  return (
    verify(signatureBytes, bytes, key, STRICT) &&
    !isSmallOrder(signatureBytes) &&
    holdsWithoutCofactor(key, bytes, signatureBytes)
  );
}

export function signNoble(seed: Uint8Array, message: Message): string {
  return encodeBase64url(sign(bytesOf(message), seed));
}

export function publicKeyNoble(seed: Uint8Array): string {
  return encodeBase64url(getPublicKey(seed));
}
