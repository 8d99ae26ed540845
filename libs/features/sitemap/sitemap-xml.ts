import { escapeHtml } from '#libs/endpoints/openapi/escape-html.js';

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

function renderXml(root: string, element: string, addresses: readonly string[]): string {
  const elements = addresses.map(address => `<${element}><loc>${escapeHtml(address)}</loc></${element}>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}">\n${elements.join('')}</${root}>\n`;
}

export const renderIndex = (addresses: readonly string[]) => renderXml('sitemapindex', 'sitemap', addresses);
export const renderUrlSet = (addresses: readonly string[]) => renderXml('urlset', 'url', addresses);
