import { createPublicKey, type KeyObject } from 'node:crypto';
import { createLruCache } from '#libs/kernel/lru-cache.js';
import { decodeBase64url } from './base64url.js';
import { isOrdinaryPoint } from './small-order.js';

export const PUBLIC_KEY_BYTES = 32;
const KEY_CACHE_MAX = 10_000;

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
