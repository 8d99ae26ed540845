import { createPublicKey, type KeyObject } from 'node:crypto';
import { createLruCache } from '#libs/kernel/lru-cache.js';
import { decodeBase64url } from './base64url.js';
import { isOrdinaryPoint } from './small-order.js';

export const PUBLIC_KEY_BYTES = 32;
/** How many imported keys are kept: importing one and looking at its point costs. */
const KEY_CACHE_MAX = 10_000;

/** A JSON Web Key of one (RFC 8037), which is imported in a tenth of the time that DER takes. */
const jwk = (x: string) => ({ kty: 'OKP', crv: 'Ed25519', x });

const cache = createLruCache<string, KeyObject>(KEY_CACHE_MAX);

/**
 * An ed25519 public key (base64url of 32 bytes), or null for a text that is none, for a `y` that is not reduced and
 * for the small-order points. A key that is on no point of the curve is imported and verifies nothing.
 */
export function importPublicKey(text: string): KeyObject | null {
  const known = cache.get(text);
  if (known) return known;
  const bytes = decodeBase64url(text, PUBLIC_KEY_BYTES);
  if (!bytes || !isOrdinaryPoint(bytes)) return null;
  const key = createPublicKey({ key: jwk(text), format: 'jwk' });
  cache.set(text, key);
  return key;
}
