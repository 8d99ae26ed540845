import { defineQuery, w } from '#libs/endpoints/declare.js';
import { ServiceAddress } from '#libs/http/service-address.js';
import { ADDRESSES_MAX, LIST_NAMES, Sitemaps, renderIndex } from './sitemaps.js';

/** Maximum number of files in an index (sitemaps.org). The newest are kept. */
const FILES_MAX = 50_000;

export const sitemap = defineQuery('sitemap', {
  path: '/sitemap.xml',
  bare: true,
  media: 'application/xml',
  uses: { sitemaps: Sitemaps, address: ServiceAddress },
  answer: w.object({}),
  doc: {
    tag: 'Feeds',
    summary: 'Get the sitemap index',
    details: `Lists the sitemap files for crawlers (sitemaps.org), with at most ${ADDRESSES_MAX} pages each. After a start with a large log the list grows with each request until it is complete.`,
  },
  async find(_fields, { sitemaps, address: { url } }) {
    const lists = await Promise.all(
      LIST_NAMES.map(async list => (await sitemaps.startsOf(list)).map(start => `${list}-${start}`)),
    );
    const files = ['pages', ...lists.flat()];
    return renderIndex(files.slice(-FILES_MAX).map(file => `${url}/sitemaps/${file}.xml`));
  },
});
