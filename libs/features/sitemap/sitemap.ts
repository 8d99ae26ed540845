import { ServiceAddress } from '#libs/http/service-address.js';
import { defineQuery } from '#libs/endpoints/query.js';
import * as w from '#libs/views/shapes/answer-schema.js';
import { ADDRESSES_MAX, LIST_NAMES, Sitemaps } from './sitemaps.js';
import { renderIndex } from './sitemap-xml.js';

/** How many files an index names at most (sitemaps.org): the newest of them where there are more. */
const FILES_MAX = 50_000;

export const sitemap = defineQuery('sitemap', {
  path: '/sitemap.xml',
  bare: true,
  media: 'application/xml',
  uses: { sitemaps: Sitemaps, address: ServiceAddress },
  answer: w.object({}),
  doc: {
    tag: 'Feeds',
    summary: 'Which pages there are: the index of their lists, for crawlers (sitemaps.org)',
    details: `Each list has at most ${ADDRESSES_MAX} pages. Of a large log a new process finds them bit by bit, as it is asked.`,
  },
  async find(_fields, { sitemaps, address: { url } }) {
    const lists = await Promise.all(
      LIST_NAMES.map(async list => (await sitemaps.startsOf(list)).map(start => `${list}-${start}`)),
    );
    const files = ['pages', ...lists.flat()];
    return renderIndex(files.slice(-FILES_MAX).map(file => `${url}/sitemaps/${file}.xml`));
  },
});
