import { escapeHtml } from '#libs/endpoints/openapi/escape-html.js';

/** Of sitemaps.org. */
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

function renderXml(root: string, each: string, addresses: readonly string[]): string {
  const listed = addresses.map(address => `<${each}><loc>${escapeHtml(address)}</loc></${each}>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}">\n${listed.join('')}</${root}>\n`;
}

export const renderIndex = (addresses: readonly string[]) => renderXml('sitemapindex', 'sitemap', addresses);
export const renderUrlSet = (addresses: readonly string[]) => renderXml('urlset', 'url', addresses);
