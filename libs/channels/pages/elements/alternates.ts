import type { Path } from '#libs/kernel/page-paths.js';
import type { Alternate } from '../shell/page.js';

/** `of` is the path without the suffixes `.feed.json` and `.rss`. */
export const feedAlternates = (of: Path, title: string): readonly Alternate[] => [
  { href: `${of}.feed.json`, type: 'application/feed+json', title },
  { href: `${of}.rss`, type: 'application/rss+xml', title },
];
