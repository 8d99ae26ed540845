import { optional } from '#libs/checks/fields.js';
import * as c from '#libs/checks/words.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { ofDocumentsAlone } from '#libs/http/lasting-answers.js';
import { cursor, limit, LIMIT_DEFAULT, page } from '#libs/http/paging.js';
import { read } from '#libs/verbs/read.js';
import { FeedItems } from '#libs/views/feed-items.js';
import { Items } from '#libs/views/items.js';
import { FeedItem } from '#libs/views/shapes/item.js';
import { Muses } from '#libs/views/shapes/muse.js';
import * as w from '#libs/views/shapes/words.js';
import { museIdsIn, summaries } from '#libs/views/summaries.js';

/** What has happened, newest first. */
export const feed = read('feed', {
  path: '/api/feed',
  query: {
    kind: optional(c.oneOf('work', 'hires'), '`work`: jobs, applications, hires and receipts; `hires`: the last two'),
    limit: optional(limit()),
    before: optional(cursor),
  },
  uses: { models: ReadModels, feedItems: FeedItems },
  answer: w.object({
    items: w.list(FeedItem),
    promoted: w.orNull(FeedItem),
    next: w.cursor,
    latest: w.orNull(w.position),
    muses: Muses,
  }),
  doc: { tag: 'Feed', summary: 'What has happened, newest first' },
  async find({ kind, limit = LIMIT_DEFAULT, before }, { models, feedItems }) {
    const { documents, next } = await page(models.of(Items), {
      range: { index: kind ?? 'all', equals: kind ? [true] : [], order: 'desc', limit },
      fields: ['opened'],
      cursor: ['before', before],
    });
    const items = await feedItems.of(documents.map(({ body }) => body));
    const muses = await summaries(models, museIdsIn(items));
    const latest = documents[0]?.body.opened ?? null;
    return ofDocumentsAlone({ items, promoted: null, next, latest, muses });
  },
});
