import { DISCOVERY_LINKS } from '#libs/features/description/service-index.js';
import type { PageTraits } from '#libs/http/routes.js';

/** Settings for the scripts of pages. */
export class BrowserSettings {
  /** Origins of the nodes in `rpc`, for the content policy. */
  readonly rpcOrigins: readonly string[];

  constructor(
    /** First line of signed messages. */
    readonly messageTag: string,
    /** Nodes for browsers by the chain's short name. */
    readonly rpc: { readonly [short: string]: string },
    /** Whether the chains are development nodes. */
    readonly playMoney: boolean,
  ) {
    this.rpcOrigins = [...new Set(Object.values(rpc).map(url => new URL(url).origin))];
  }
}

/** Allows only files of this service, no framing, and connections to this service and `nodes`. */
const contentPolicy = (nodes: readonly string[]) =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self' data:",
    ["connect-src 'self'", ...nodes].join(' '),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const headersWith = (nodes: readonly string[]) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentPolicy(nodes),
  'referrer-policy': 'same-origin',
});

/** For pages that only connect to this service. */
export const PAGE_HEADERS = headersWith([]);

export const pageHeaders = ({ asksChains, isFirst = false }: PageTraits, { rpcOrigins }: BrowserSettings) => ({
  ...(asksChains ? headersWith(rpcOrigins) : PAGE_HEADERS),
  ...(isFirst && { link: DISCOVERY_LINKS }),
});
