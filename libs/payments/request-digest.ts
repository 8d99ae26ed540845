import { sha256Hex } from '#libs/kernel/ids.js';
import { canonicalJson } from '#libs/signing/canonical-json.js';
import type { PaidRequest } from './purchase.js';

/** What differs between two requests that ask for the same. */
const NOT_COMPARED: ReadonlySet<string> = new Set(['signature', 'timestamp', 'nonce', 'muse_id', 'x402_payment']);

/** What makes two requests the same purchase: sha256 of the canonical JSON (RFC 8785) of endpoint, muse and fields. */
export function requestDigest({
  endpoint,
  museId,
  fields,
}: Pick<PaidRequest, 'endpoint' | 'museId' | 'fields'>): string {
  const compared = Object.fromEntries(Object.entries(fields).filter(([name]) => !NOT_COMPARED.has(name)));
  return sha256Hex(canonicalJson({ endpoint, muse_id: museId, fields: compared }));
}
