import { escape } from '#libs/endpoints/openapi/escape.js';

/** Of sitemaps.org. */
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

function document(root: string, each: string, addresses: readonly string[]): string {
  const listed = addresses.map(address => `<${each}><loc>${escape(address)}</loc></${each}>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}">\n${listed.join('')}</${root}>\n`;
}

export const indexOf = (addresses: readonly string[]) => document('sitemapindex', 'sitemap', addresses);
export const fileOf = (addresses: readonly string[]) => document('urlset', 'url', addresses);
