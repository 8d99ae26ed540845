import { createHash } from 'node:crypto';

/** The entity tag (RFC 9110, 8.8.3) of an answer; a weak one where the text is not all that is sent. */
export const etagOf = (text: string, isWeak = false) =>
  `${isWeak ? 'W/' : ''}"${createHash('sha1').update(text).digest('base64url')}"`;

const stripWeakPrefix = (etag: string) => etag.trim().replace(/^W\//, '');

/** Whether the caller has this answer already, by its `if-none-match`: weak comparison (RFC 9110, 13.1.2). */
export function isEtagMatch(condition: string | undefined, etag: string): boolean {
  if (condition === undefined) return false;
  return condition.split(',').some(tag => tag.trim() === '*' || stripWeakPrefix(tag) === stripWeakPrefix(etag));
}
