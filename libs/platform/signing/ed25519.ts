import { createPrivateKey, createPublicKey, randomBytes, sign as signBytes, verify, type KeyObject } from 'node:crypto';
import { createLruCache } from '#libs/kernel/lru-cache.js';
import { decodeBase64url } from './base64url.js';

export const SEED_BYTES = 32;
const SIGNATURE_BYTES = 64;
const PUBLIC_KEY_BYTES = 32;
const KEY_CACHE_MAX = 10_000;

/** Order of the base point's group (RFC 8032, 5.1). */
const L = 2n ** 252n + 27742317777372353535851937790883648493n;

type Message = string | Uint8Array;

function bytesOf(message: Message): Uint8Array {
  return typeof message === 'string' ? Buffer.from(message, 'utf8') : message;
}

/** Refuses a second half at or above the group's order, so that each signature has one encoding. */
function importSignature(text: string): Uint8Array | null {
  const bytes = decodeBase64url(text, SIGNATURE_BYTES);
  if (!bytes || !isOrdinaryPoint(bytes.subarray(0, 32))) return null;
  return littleEndian(bytes.subarray(32)) < L ? bytes : null;
}

/**
 * Verifies a pure ed25519 signature (RFC 8032, equation without cofactor). Key: 43, signature: 86 base64url characters.
 * Returns false for malformed input.
 */
export function verifyStrict(publicKey: string, message: Message, signature: string): boolean {
  const key = importPublicKey(publicKey);
  const bytes = importSignature(signature);
  return key !== null && bytes !== null && verify(null, bytesOf(message), key, bytes);
}

/** Like `verifyStrict`, on a thread of the pool. For several waiting signatures. */
export async function verifyInPool(publicKey: string, message: Message, signature: string): Promise<boolean> {
  const key = importPublicKey(publicKey);
  const bytes = importSignature(signature);
  if (!key || !bytes) return false;
  return new Promise((resolve, reject) => {
    verify(null, bytesOf(message), key, bytes, (error, valid) => (error ? reject(error) : resolve(valid)));
  });
}

export function importSeed(seed: Uint8Array): KeyObject {
  if (seed.length !== SEED_BYTES) throw new RangeError(`An ed25519 seed has ${SEED_BYTES} bytes.`);
  // Nine times as fast as PKCS #8. Node reads the seed only and derives `x`.
  return createPrivateKey({ key: { ...jwk(''), d: Buffer.from(seed).toString('base64url') }, format: 'jwk' });
}

/** 86 base64url characters. */
export function sign(privateKey: Uint8Array | KeyObject, message: Message): string {
  const key = privateKey instanceof Uint8Array ? importSeed(privateKey) : privateKey;
  return signBytes(null, bytesOf(message), key).toString('base64url');
}

/** 43 base64url characters. */
export function publicKeyOf(seed: Uint8Array): string {
  const der = createPublicKey(importSeed(seed)).export({ format: 'der', type: 'spki' });
  return der.subarray(-SEED_BYTES).toString('base64url');
}

export function generateKey(): { readonly seed: Uint8Array; readonly publicKey: string } {
  const seed = new Uint8Array(randomBytes(SEED_BYTES));
  return { seed, publicKey: publicKeyOf(seed) };
}

const jwk = (x: string) => ({ kty: 'OKP', crv: 'Ed25519', x });

const cache = createLruCache<string, KeyObject>(KEY_CACHE_MAX);

/**
 * Imports an ed25519 public key (base64url of 32 bytes). Null for malformed keys, an unreduced `y` and small-order
 * points.
 */
export function importPublicKey(text: string): KeyObject | null {
  const cachedKey = cache.get(text);
  if (cachedKey) return cachedKey;
  const bytes = decodeBase64url(text, PUBLIC_KEY_BYTES);
  if (!bytes || !isOrdinaryPoint(bytes)) return null;
  const key = createPublicKey({ key: jwk(text), format: 'jwk' });
  cache.set(text, key);
  return key;
}

const P = 2n ** 255n - 19n;
const ORDER_8_Y = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;
/** y of the eight points whose order divides 8. */
const SMALL_ORDER_Y: ReadonlySet<bigint> = new Set([0n, 1n, P - 1n, ORDER_8_Y, P - ORDER_8_Y]);

function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}

/**
 * Whether `y` is reduced and not of small order, which would make signatures meaningless. Decided here, because OpenSSL
 * versions differ.
 */
function isOrdinaryPoint(bytes: Uint8Array): boolean {
  const y = littleEndian(bytes) & ((1n << 255n) - 1n);
  return y < P && !SMALL_ORDER_Y.has(y);
}
