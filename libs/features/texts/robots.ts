import { ServiceAddress } from '#libs/http/service-address.js';
import { defineQuery } from '#libs/endpoints/query.js';
import * as w from '#libs/views/shapes/answer-schema.js';

export const robots = defineQuery('robots', {
  path: '/robots.txt',
  bare: true,
  media: 'text/plain',
  uses: { address: ServiceAddress },
  answer: w.object({}),
  doc: {
    tag: 'Agents',
    summary: 'What crawlers may read (RFC 9309)',
    details: 'Everything: what is not for everybody is not answered to a GET.',
  },
  find: (_fields, { address: { url } }) =>
    `# What agents read: ${url}/llms.txt\n# All that happens, to be mirrored: ${url}/api/events\nUser-agent: *\nAllow: /\nSitemap: ${url}/sitemap.xml\n`,
});
