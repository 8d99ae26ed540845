import { LINK_CHARACTERS_MAX, parseLink } from '#libs/kernel/url.js';
import { isPublicAddress, literalAddress } from './address.js';
import { type AllowList, EMPTY_ALLOW_LIST } from './allow-list.js';
import type { FailureReason } from './failure.js';

/** Longer than a link, because storage services sign their addresses. */
export const REDIRECT_LENGTH_MAX = 4_096;

/**
 * Returns why a URL must not be fetched, or null. Does not resolve names. The URL parser normalises every spelling of an
 * IPv4 address.
 */
export function checkUrl(
  text: string,
  allow: AllowList = EMPTY_ALLOW_LIST,
  lengthMax = LINK_CHARACTERS_MAX,
): FailureReason | null {
  const link = parseLink(text, lengthMax);
  if ('fault' in link) return link.fault;
  if (allow.has(new URL(link.href))) return null;
  if (link.protocol !== 'https:') return 'not_https';
  const literal = literalAddress(link.hostname);
  return literal !== null && !isPublicAddress(literal) ? 'private_address' : null;
}
