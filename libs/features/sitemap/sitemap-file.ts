import { optional } from '#libs/checks/fields.js';
import * as c from '#libs/checks/words.js';
import { ServiceAddress } from '#libs/http/service-address.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { read } from '#libs/verbs/read.js';
import * as w from '#libs/views/shapes/words.js';
import { type ListName, Sitemaps } from './sitemaps.js';
import { fileOf } from './xml.js';

const FILE = /^(items|projects)-([0-9]{20})\.xml$/;
const PAGES_FILE = 'pages.xml';

/** Those that are there from the beginning. */
const PAGES = [PAGE_PATHS.home, PAGE_PATHS.jobs, PAGE_PATHS.people, PAGE_PATHS.feed, '/docs', '/docs/errors'];

export const sitemapFile = read('sitemap_file', {
  path: '/sitemaps/:file',
  bare: true,
  media: 'application/xml',
  params: { file: optional(c.text({ max: 100 }), 'One that the index names') },
  uses: { sitemaps: Sitemaps, address: ServiceAddress },
  answer: w.object({}),
  errors: ['not_found'],
  doc: {
    tag: 'Feeds',
    summary: 'One list of pages',
    details: 'What was deleted, and who has erased itself or is suspended, stands in none.',
    example: { file: 'pages.xml' },
  },
  async find({ file = '' }, { sitemaps, address: { url } }) {
    return fileOf((await pathsIn(file, sitemaps)).map(path => url + path));
  },
});

async function pathsIn(file: string, sitemaps: Sitemaps): Promise<readonly string[]> {
  if (file === PAGES_FILE) return PAGES;
  const [, list, start] = FILE.exec(file) ?? [];
  if (list === undefined || start === undefined) throw new Refusal('not_found', 'The sitemap has no such file.');
  return sitemaps.pathsFrom(list as ListName, start);
}
