import canonicalize from 'canonicalize';
import type { Json } from '#libs/kernel/json.js';

/**
 * Canonical JSON (RFC 8785): members sorted by UTF-16 code units, no white space, numbers as ECMAScript writes them.
 * Members that are undefined are left out. Throws for what no JSON can say: NaN, infinities, lone surrogates, cycles.
 */
export function canonicalJson(value: Json | object): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('Only a JSON value has a canonical form.');
  return text;
}
