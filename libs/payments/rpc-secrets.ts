import { parseUrl } from '#libs/kernel/url.js';

/** Addresses of RPC nodes often hold a key: in the path, the query or the user information. */

export function redactedAddress(text: string): string {
  const url = parseUrl(text);
  return url ? `${url.protocol}//${url.host}` : 'an invalid address';
}

/** Moves the user information into a header, because errors would repeat it. */
export function requestTarget(address: string): {
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
} {
  const url = new URL(address);
  const { username, password } = url;
  if (username === '' && password === '') return { url: address, headers: {} };
  const credentials = `${decodePart(username)}:${decodePart(password)}`;
  [url.username, url.password] = ['', ''];
  return { url: url.href, headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } };
}

const SECRET_CHARACTERS_MIN = 8;
const HIDDEN = '***';

/** Removes possible keys from a node's message, because some nodes repeat the key they reject. */
export function redactSecrets(text: string, address: string): string {
  const { username, password, pathname, searchParams } = new URL(address);
  const parts = [...pathname.split('/'), ...searchParams.values()];
  const longParts = parts.filter(part => part.length >= SECRET_CHARACTERS_MIN);
  const secrets = [username, password, ...longParts].filter(part => part !== '');
  const variants = [...new Set(secrets.flatMap(secret => [secret, decodePart(secret)]))];
  return variants
    .sort((a, b) => b.length - a.length)
    .reduce((hidden, secret) => hidden.replaceAll(secret, HIDDEN), text);
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
