import { parseUrl } from '#libs/kernel/url.js';
const DEFAULT_PORTS: { readonly [protocol: string]: string } = { 'http:': '80', 'https:': '443' };

function portOf(url: URL): string {
  return url.port || (DEFAULT_PORTS[url.protocol] ?? '');
}

export function hostOf(url: URL): string {
  return url.hostname.replace(/\.$/, '');
}

export const allowListEntry = (url: URL): string => `${hostOf(url)}:${portOf(url)}`;

const PORT_MAX = 65_535;
const isPort = (port: number) => port >= 1 && port <= PORT_MAX;

function parseEntry(text: string): string {
  const [, host, port] = /^([^\s/@?#\\]+):(\d{1,5})$/.exec(text.trim()) ?? [];
  const url = host === undefined ? null : parseUrl(`http://${host}/`);
  if (!url || !isPort(Number(port))) throw new Error(`${text} is not host:port.`);
  return `${hostOf(url)}:${Number(port)}`;
}

/** `host:port` pairs that may be private or plain http (`FETCH_ALLOW`). */
export class AllowList {
  private readonly entries: ReadonlySet<string>;

  constructor(entries: readonly string[]) {
    this.entries = new Set(entries.map(parseEntry));
  }

  has(url: URL): boolean {
    return this.entries.has(allowListEntry(url));
  }
}

export const EMPTY_ALLOW_LIST = new AllowList([]);
