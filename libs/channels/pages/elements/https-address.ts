import { parseUrl } from '#libs/kernel/url.js';

/** The address as a browser takes it, where that is https; null for any other text. */
export function httpsAddress(text: string): string | null {
  const url = parseUrl(text);
  return url?.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : null;
}
