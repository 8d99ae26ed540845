import { parseUrl } from '#libs/kernel/url.js';
const DEFAULT_PORTS: { readonly [protocol: string]: string } = { 'http:': '80', 'https:': '443' };

/** The URL's port, also where it is the protocol's own and therefore not written. */
function portOf(url: URL): string {
  return url.port || (DEFAULT_PORTS[url.protocol] ?? '');
}

/** The URL's host as one name: `example.com.` and `example.com` are the same. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/\.$/, '');
}

/** As an entry of the list has it: `host:port`. */
export const allowListEntry = (url: URL): string => `${hostOf(url)}:${portOf(url)}`;

const PORT_MAX = 65_535;
const isPort = (port: number) => port >= 1 && port <= PORT_MAX;

function parseEntry(text: string): string {
  const [, host, port] = /^([^\s/@?#\\]+):(\d{1,5})$/.exec(text.trim()) ?? [];
  const url = host === undefined ? null : parseUrl(`http://${host}/`);
  if (!url || !isPort(Number(port))) throw new Error(`${text} is no host:port.`);
  return `${hostOf(url)}:${Number(port)}`;
}

/** `host:port` pairs that may be fetched although private or plain http (`FETCH_ALLOW`). */
export class AllowList {
  private readonly entries: ReadonlySet<string>;

  /** Throws a sentence for an entry that is no `host:port`. */
  constructor(entries: readonly string[]) {
    this.entries = new Set(entries.map(parseEntry));
  }

  has(url: URL): boolean {
    return this.entries.has(allowListEntry(url));
  }
}

export const EMPTY_ALLOW_LIST = new AllowList([]);
