import { createHash } from 'node:crypto';
import { parseDictionary } from 'structured-headers';
import { fieldRule, rule } from '#libs/kernel/refusal.js';

/** Secure algorithms of RFC 9530; its other ones prove nothing. */
const HASHES: ReadonlyMap<string, string> = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
]);

/**
 * Compares each digest with the body (RFC 9421, 7.2.8): a signature over `content-digest` alone would be valid with any
 * body.
 */
export function assertDigestsMatch(contentDigest: string, body: Uint8Array): void {
  const digests = digestsIn(contentDigest).filter(([algorithm]) => HASHES.has(algorithm));
  fieldRule(
    digests.length > 0,
    'signature-input',
    '`signature-input` covers `content-digest`, which must then hold a digest by sha-256 or sha-512 (RFC 9530).',
    'malformed',
  );
  const isDigest = ([algorithm, digest]: (typeof digests)[number]) =>
    digest instanceof ArrayBuffer &&
    createHash(HASHES.get(algorithm)!).update(body).digest().equals(Buffer.from(digest));
  rule(
    digests.every(isDigest),
    'operator_signature_mismatch',
    'The body does not have the `content-digest` that the operator signed.',
  );
}

/** Members of the field (RFC 9530, 2); none if it is malformed. */
function digestsIn(field: string): [algorithm: string, digest: unknown][] {
  try {
    return [...parseDictionary(field)].map(([algorithm, [digest]]) => [algorithm, digest]);
  } catch {
    return [];
  }
}
