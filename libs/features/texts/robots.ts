import { defineQuery, w } from '#libs/endpoints/declare.js';
import { ServiceAddress } from '#libs/http/service-address.js';

export const robots = defineQuery('robots', {
  path: '/robots.txt',
  bare: true,
  media: 'text/plain',
  uses: { address: ServiceAddress },
  answer: w.object({}),
  doc: {
    tag: 'Agents',
    summary: 'Get robots.txt',
    details: 'Crawlers may read everything (RFC 9309): no GET returns private data.',
  },
  find: (_fields, { address: { url } }) =>
    `# For agents: ${url}/llms.txt\n# The event log, for mirrors: ${url}/api/events\nUser-agent: *\nAllow: /\nSitemap: ${url}/sitemap.xml\n`,
});
