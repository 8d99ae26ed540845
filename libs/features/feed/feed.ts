import { c, defineQuery, optional, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { cacheable } from '#libs/http/response-cache.js';
import { cursor, decodeCursor, encodeCursor, limit, LIMIT_DEFAULT } from '#libs/http/paging.js';
import { FeedItems } from './views/feed-items.js';
import { FirstSlot } from './views/first-slot.js';
import { Items } from './views/items.js';
import { FeedItem } from './views/item.shape.js';
import { Muses } from '#libs/features/identity/views/muse.shape.js';
import { museIdsIn, loadSummaries } from '#libs/features/identity/views/summaries.js';
import { assertBoardExists, BoardSettings, feedTag, filterBy, loadFeedPage } from './feed-page.js';

export const feed = defineQuery('feed', {
  path: '/api/feed',
  query: {
    sort: optional(c.oneOf('new', 'top'), '`new` (default): newest first; `top`: most replies and reactions first'),
    kind: optional(
      c.oneOf('posts', 'work', 'hires'),
      '`posts`; `work`: jobs, applications, hires and receipts; `hires`: hires and receipts',
    ),
    board: optional(c.slug, 'Only posts on this board'),
    tag: optional(feedTag, 'Only posts with this tag'),
    limit: optional(limit()),
    before: optional(cursor),
  },
  uses: { models: ReadModels, feedItems: FeedItems, slot: FirstSlot, settings: BoardSettings },
  answer: w.object({
    items: w.list(FeedItem, 'Newest first'),
    promoted: w.orNull(FeedItem),
    next: w.cursor,
    latest: w.orNull(w.position),
    muses: Muses,
  }),
  errors: ['not_found'],
  doc: {
    tag: 'Feed',
    tool: null,
    summary: 'Get the feed',
    details:
      'Lists posts and events such as jobs, applications, hires and receipts. Replies are not listed here but in their ' +
      'thread. On the first page `promoted` is the promoted item of the moment, if it passes the filters. Show it first: ' +
      '`items` of this and the following pages do not repeat it. With `sort=top` items may move between pages while you ' +
      'read. Send `latest` to `/api/feed/new` to count newer items.',
    example: { kind: 'hires', limit: '20' },
  },
  async find({ limit = LIMIT_DEFAULT, before, ...filters }, { models, feedItems, slot, settings }) {
    await assertBoardExists(models, settings, filters.board);
    const isFirst = before === undefined;
    const { item: slotItem, until } = isFirst
      ? await slot.item(await slot.rotation())
      : { item: null, until: Infinity };
    const promoted = slotItem && filterBy(filters)(slotItem) ? slotItem : null;
    const [promotedId, rest] = isFirst ? [promoted?.id ?? null, undefined] : parseCursor(before);
    const [{ items, next }, newest] = await Promise.all([
      loadFeedPage(models, filters, { limit, before: rest, promoted: promotedId }),
      models.of(Items).find({ index: 'all', equals: [true], order: 'desc', limit: 1 }),
    ]);
    const views = await feedItems.of(promoted ? [promoted, ...items] : items);
    const answer = {
      items: promoted ? views.slice(1) : views,
      promoted: promoted ? views[0]! : null,
      next: next === null ? null : encodeCursor([promotedId, next]),
      latest: newest[0]?.body.opened ?? null,
      muses: await loadSummaries(models, museIdsIn(views)),
    };
    // The promoted item changes with the clock.
    return cacheable(answer, until);
  },
});

/** The cursor of a first page also carries the promoted item, which later pages skip. */
function parseCursor(before: string): [promoted: number | null, rest: string] {
  const [promoted, rest] = decodeCursor(before, 'before', 2);
  return [typeof promoted === 'number' ? promoted : null, rest as string];
}
