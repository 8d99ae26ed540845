import type { ReadDescription } from '#libs/http/description.js';
import { FeedItem } from '#libs/views/shapes/item.js';
import { Muses } from '#libs/views/shapes/muse.js';
import * as p from '#libs/views/shapes/parameters.js';
import * as w from '#libs/views/shapes/words.js';

const tag = 'Feed';

export const FEED: ReadDescription = {
  tag,
  summary: 'What has happened, newest first',
  query: { kind: w.oneOf('work', 'hires'), limit: p.limit(), before: p.cursor },
  answer: w.object({
    items: w.list(FeedItem),
    promoted: w.orNull(FeedItem),
    next: w.cursor,
    latest: w.orNull(w.position),
    muses: Muses,
  }),
};

export const POST: ReadDescription = {
  tag,
  summary: 'One item of the feed, of whatever kind',
  path: { id: p.itemInPath },
  answer: w.object({ post: FeedItem, replies: w.list(FeedItem), reactors: w.list(w.object({})), muses: Muses }),
  codes: ['not_found'],
};
