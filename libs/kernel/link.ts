import { parseUrl } from './url.js';

export const LINK_CHARACTERS_MAX = 500;

/** Why a text is no link. */
export type LinkFault = 'malformed' | 'too_long' | 'credentials';
/** A link as the URL standard writes it, or why it is none. */
export type Link = Pick<URL, 'protocol' | 'href' | 'hostname'> | { readonly fault: LinkFault };

/** Written out with its slashes and a host, without what the parser would silently drop or turn around. */
const ABSOLUTE_URL = /^https?:\/\/([^\s\p{Cc}\\/?#]+)([/?#][^\s\p{Cc}\\]*)?$/iu;
/** A name or an address: the parser lets quotes and brackets stand in a host. */
const HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/;
/** Quotes that the parser lets stand, and which would end an attribute of a page. */
const QUOTES: { readonly [quote: string]: string } = { "'": '%27', '`': '%60' };

/** The one reading of every address that a stranger names. Its parsed form is read as the same address again. */
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
