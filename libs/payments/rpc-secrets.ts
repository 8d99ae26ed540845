import { parseUrl } from '#libs/kernel/url.js';

/** The address of an RPC node often holds a key: in its path, its query, or as name and password. */

/** What may be shown of an address: scheme, host and port. */
export function redactedAddress(text: string): string {
  const url = parseUrl(text);
  return url ? `${url.protocol}//${url.host}` : 'an address that cannot be read';
}

/** Where to ask, and as whom: a name and a password in an address would be repeated in errors. */
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

/** Shorter parts of a path are words such as `v2` or `rpc`. */
const SECRET_CHARACTERS_MIN = 8;
const HIDDEN = '***';

/** What a node says, without the parts of its address that may be a key: some repeat a key that they do not take. */
export function redactSecrets(text: string, address: string): string {
  const { username, password, pathname, searchParams } = new URL(address);
  const parts = [...pathname.split('/'), ...searchParams.values()];
  const long = parts.filter(part => part.length >= SECRET_CHARACTERS_MIN);
  const secrets = [username, password, ...long].filter(part => part !== '');
  const each = [...new Set(secrets.flatMap(secret => [secret, decodePart(secret)]))];
  return each.sort((a, b) => b.length - a.length).reduce((hidden, secret) => hidden.replaceAll(secret, HIDDEN), text);
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
