import { parseUrl } from '#libs/kernel/url.js';

/** Texts that the service and the scripts of pages treat in the same way. */

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `at`: unix ms. */
export function formatDay(at: number): string {
  const date = new Date(at);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** Hours and minutes in UTC. `at`: unix ms. */
export const formatClock = (at: number) => new Date(at).toISOString().slice(11, 16);

/** UTC with the time of day. `at`: unix ms. */
export const formatTime = (at: number) => `${formatDay(at)}, ${formatClock(at)} UTC`;

/** `1 hire`, `2 hires`. */
export const pluralize = (count: number, one: string, several = `${one}s`) => `${count} ${count === 1 ? one : several}`;

/** The text in place of a link to an erased delivery. */
export const erasedDelivery = (post: number | null) =>
  post === null ? 'an address that was erased' : 'a post that was erased';

/** Returns null unless the text is an https address without credentials. */
export function httpsAddress(text: string): string | null {
  const url = parseUrl(text);
  return url?.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : null;
}

export const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Matches words at any position. The text must be lower case. */
export const containsAll = (text: string, words: readonly string[]): boolean =>
  words.every(word => text.includes(word));
