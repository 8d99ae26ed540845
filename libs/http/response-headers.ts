import { createHash } from 'node:crypto';

export const JSON_TYPE = 'application/json; charset=utf-8';

export const NO_STORE_HEADERS = { 'cache-control': 'no-store' };
/** Headers of every read and its failures: caches must revalidate. */
export const NO_CACHE_HEADERS = { 'cache-control': 'no-cache', vary: 'accept, min-position' };

export const etagOf = (text: string, isWeak = false) =>
  `${isWeak ? 'W/' : ''}"${createHash('sha1').update(text).digest('base64url')}"`;

const stripWeakPrefix = (etag: string) => etag.trim().replace(/^W\//, '');

/** Compares weakly, as RFC 9110, section 13.1.2 requires for `if-none-match`. */
export function isEtagMatch(condition: string | undefined, etag: string): boolean {
  if (condition === undefined) return false;
  return condition.split(',').some(tag => tag.trim() === '*' || stripWeakPrefix(tag) === stripWeakPrefix(etag));
}
