import { isPublicAddress, literalAddress } from './address.js';
import { type AllowList, NOTHING_ALLOWED } from './allow-list.js';
import type { FailureReason } from './failure.js';

export const URL_LENGTH_MAX = 500;
/** Where a redirect leads may be longer: storage services sign their addresses. */
export const REDIRECT_LENGTH_MAX = 4_096;

/** Written out with its slashes, without what the parser would silently drop or turn around. */
const PLAIN = /^https?:\/\/[^\s\p{Cc}\\]+$/iu;

/**
 * Null for an address that may be fetched, else the reason why not. Looks at the address alone and resolves no name.
 * The URL parser has brought every spelling of an IPv4 address (octal, hex, one number) into its usual form.
 */
export function checkUrl(
  text: string,
  allow: AllowList = NOTHING_ALLOWED,
  lengthMax = URL_LENGTH_MAX,
): FailureReason | null {
  if (text.length > lengthMax) return 'too_long';
  if (!PLAIN.test(text) || !URL.canParse(text)) return 'malformed';
  const url = new URL(text);
  if (url.username || url.password) return 'credentials';
  if (allow.has(url)) return null;
  if (url.protocol !== 'https:') return 'not_https';
  const literal = literalAddress(url.hostname);
  return literal !== null && !isPublicAddress(literal) ? 'private_address' : null;
}
