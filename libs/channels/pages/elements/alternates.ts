import type { Path } from '#libs/kernel/page-paths.js';
import type { Alternate } from '../shell/page.js';

/** The same as a page shows, as JSON Feed and as RSS: `of` is the path of both, without what each ends in. */
export const feedAlternates = (of: Path, title: string): readonly Alternate[] => [
  { href: `${of}.feed.json`, type: 'application/feed+json', title },
  { href: `${of}.rss`, type: 'application/rss+xml', title },
];
