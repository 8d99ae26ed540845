export const LINK_CHARACTERS_MAX = 500;

/**
 * Returns null for an invalid address. `URL.canParse` of Node 20 rejects valid non-ASCII addresses after some thousand
 * calls, once the engine optimises it.
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

type LinkFault = 'malformed' | 'too_long' | 'credentials';
type Link = Pick<URL, 'protocol' | 'href' | 'hostname'> | { readonly fault: LinkFault };

/** Requires slashes and a host: the parser would silently repair anything else. */
const ABSOLUTE_URL = /^https?:\/\/([^\s\p{Cc}\\/?#]+)([/?#][^\s\p{Cc}\\]*)?$/iu;
const HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/;
const QUOTES: { readonly [quote: string]: string } = { "'": '%27', '`': '%60' };

/** Parses every address from a user. Parsing the result again gives the same address. */
export function parseLink(text: string, charactersMax = LINK_CHARACTERS_MAX): Link {
  if (text.length > charactersMax) return { fault: 'too_long' };
  const [, authority] = ABSOLUTE_URL.exec(text) ?? [];
  const url = authority === undefined ? null : parseUrl(text);
  if (authority === undefined || !url) return { fault: 'malformed' };
  if (authority.includes('@')) return { fault: 'credentials' };
  const { protocol, hostname, href } = url;
  if (!HOST.test(hostname)) return { fault: 'malformed' };
  const quoted = href.replace(/['`]/g, quote => QUOTES[quote]!);
  return quoted.length > charactersMax ? { fault: 'too_long' } : { protocol, hostname, href: quoted };
}
