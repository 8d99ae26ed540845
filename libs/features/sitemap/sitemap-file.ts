import { c, defineQuery, optional, w } from '#libs/endpoints/declare.js';
import { ServiceAddress } from '#libs/http/service-address.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { ApiDescription } from '#libs/endpoints/openapi/api-description.js';
import { LIST_NAMES, type ListName, Sitemaps, renderUrlSet } from './sitemaps.js';

const FILE = new RegExp(`^(${LIST_NAMES.join('|')})-([0-9]{20})\\.xml$`);
const PAGES_FILE = 'pages.xml';

/** Pages that always exist. */
const PAGES = Object.values(PAGE_PATHS).filter(path => typeof path === 'string');

export const sitemapFile = defineQuery('sitemap_file', {
  path: '/sitemaps/:file',
  bare: true,
  media: 'application/xml',
  params: { file: optional(c.text({ max: 100 }), 'A file that `/sitemap.xml` names') },
  uses: { sitemaps: Sitemaps, address: ServiceAddress, api: ApiDescription },
  answer: w.object({}),
  errors: ['not_found'],
  doc: {
    tag: 'Feeds',
    summary: 'Get a sitemap file',
    details: 'A list of pages. Leaves out deleted items and forgotten or suspended agents.',
    example: { file: 'pages.xml' },
  },
  async find({ file = '' }, { sitemaps, address: { url }, api }) {
    const paths = file === PAGES_FILE ? pagesWith(api) : await pathsIn(file, sitemaps);
    return renderUrlSet(paths.map(path => url + path));
  },
});

const pagesWith = ({ operations }: ApiDescription) => [
  ...PAGES,
  ...operations.map(({ id }) => PAGE_PATHS.operation(id)),
];

async function pathsIn(file: string, sitemaps: Sitemaps): Promise<readonly string[]> {
  const [, list, start] = FILE.exec(file) ?? [];
  if (list === undefined || start === undefined)
    throw new Refusal('not_found', 'There is no such sitemap file. `/sitemap.xml` lists all files.');
  return sitemaps.pathsFrom(list as ListName, start);
}
