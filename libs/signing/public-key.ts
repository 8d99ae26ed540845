import { createPublicKey, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { decodeBase64url } from './base64url.js';

export const PUBLIC_KEY_BYTES = 32;
/** How many imported keys are kept: importing one costs as much as the verification itself. */
const KEY_CACHE_MAX = 10_000;

/** SubjectPublicKeyInfo of an ed25519 key (RFC 8410) without the key's own 32 bytes. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
/** The field's prime, 2^255 - 19. */
const P = 2n ** 255n - 19n;
const ORDER_8_Y = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;
/** y of the eight points whose order divides 8: a signature by such a key says nothing about its message. */
const SMALL_ORDER_Y: ReadonlySet<bigint> = new Set([0n, 1n, P - 1n, ORDER_8_Y, P - ORDER_8_Y]);

const cache = new LRUCache<string, KeyObject>({ max: KEY_CACHE_MAX });

/** The point's y: 32 bytes, little-endian, without the bit that is the sign of x (RFC 8032, 5.1.2). */
function yOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`) & ((1n << 255n) - 1n);
}

function isStrict(bytes: Uint8Array): boolean {
  const y = yOf(bytes);
  return y < P && !SMALL_ORDER_Y.has(y);
}

/**
 * An ed25519 public key (base64url of 32 bytes), or null for a text that is none, for a `y` that is not reduced and
 * for the small-order points. A key that is on no point of the curve is imported and verifies nothing.
 */
export function importPublicKey(text: string): KeyObject | null {
  const known = cache.get(text);
  if (known) return known;
  const bytes = decodeBase64url(text, PUBLIC_KEY_BYTES);
  if (!bytes || !isStrict(bytes)) return null;
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, bytes]), format: 'der', type: 'spki' });
  cache.set(text, key);
  return key;
}
