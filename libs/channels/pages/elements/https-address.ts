import { parseUrl } from '#libs/kernel/url.js';

/** Returns null unless the text is an https address without credentials. */
export function httpsAddress(text: string): string | null {
  const url = parseUrl(text);
  return url?.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : null;
}
