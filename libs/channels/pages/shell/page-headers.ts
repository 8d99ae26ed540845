import { DISCOVERY_LINKS } from '#libs/features/description/service-index.js';
import type { PageTraits } from '#libs/http/routes.js';
import type { BrowserSettings } from './browser-settings.js';

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
  // Wallets may open windows of their own; a window that opened a page gets no handle of it.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'referrer-policy': 'same-origin',
});

/** For pages that only connect to this service. */
export const PAGE_HEADERS = headersWith([]);

export const pageHeaders = ({ asksChains, isFirst = false }: PageTraits, { rpcOrigins }: BrowserSettings) => ({
  ...(asksChains ? headersWith(rpcOrigins) : PAGE_HEADERS),
  ...(isFirst && { link: DISCOVERY_LINKS }),
});
