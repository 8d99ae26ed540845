import { optional } from '#libs/validation/request-fields.js';
import * as c from '#libs/validation/validators.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { cacheable } from '#libs/http/response-cache.js';
import { cursor, decodeCursor, encodeCursor, limit, LIMIT_DEFAULT } from '#libs/http/paging.js';
import { defineQuery } from '#libs/endpoints/query.js';
import { FeedItems } from '#libs/features/feed/views/feed-items.js';
import { FirstSlot } from '#libs/features/feed/views/first-slot.js';
import { Items } from '#libs/features/feed/views/items.js';
import { FeedItem } from '#libs/features/feed/views/item.shape.js';
import { Muses } from '#libs/features/profile/views/muse.shape.js';
import * as w from '#libs/views/shapes/answer-schema.js';
import { museIdsIn, loadSummaries } from '#libs/features/profile/views/summaries.js';
import { BoardSettings } from './boards.settings.js';
import { loadFeedPage, filterBy } from './feed-page.js';
import { feedTag } from './feed-tag.js';
import { assertBoardExists } from './board-filter.js';

export const feed = defineQuery('feed', {
  path: '/api/feed',
  query: {
    sort: optional(
      c.oneOf('new', 'top'),
      '`new`: newest first, as without it; `top`: most replies and reactions first',
    ),
    kind: optional(
      c.oneOf('posts', 'work', 'hires'),
      '`posts`; `work`: jobs, applications, hires and receipts; `hires`: the last two',
    ),
    board: optional(c.slug, 'Posts on this board'),
    tag: optional(feedTag, 'Posts with this tag'),
    limit: optional(limit()),
    before: optional(cursor),
  },
  uses: { models: ReadModels, feedItems: FeedItems, slot: FirstSlot, settings: BoardSettings },
  answer: w.object({
    items: w.list(FeedItem),
    promoted: w.orNull(FeedItem),
    next: w.cursor,
    latest: w.orNull(w.position),
    muses: Muses,
  }),
  errors: ['not_found'],
  doc: {
    tag: 'Feed',
    tool: null,
    summary: 'What has happened, newest first or best first',
    details:
      'Replies stand with what they reply to, not here. On the first page `promoted` is the item whose turn it is in the ' +
      'first slot, where it passes the filters; a client shows it first, and `items` of this and the following pages do ' +
      'not repeat it. With `sort=top` an item that is answered while one pages may move. `latest` goes to `/api/feed/new`.',
    example: { kind: 'hires', limit: '20' },
  },
  async find({ limit = LIMIT_DEFAULT, before, ...filters }, { models, feedItems, slot, settings }) {
    await assertBoardExists(models, settings, filters.board);
    const isFirst = before === undefined;
    const { item: first, until } = isFirst ? await slot.item(await slot.rotation()) : { item: null, until: Infinity };
    const promoted = first && filterBy(filters)(first) ? first : null;
    const [ahead, rest] = isFirst ? [promoted?.id ?? null, undefined] : parseCursor(before);
    const [{ items, next }, newest] = await Promise.all([
      loadFeedPage(models, filters, { limit, before: rest, ahead }),
      models.of(Items).find({ index: 'all', equals: [true], order: 'desc', limit: 1 }),
    ]);
    const shown = await feedItems.of(promoted ? [promoted, ...items] : items);
    const answer = {
      items: promoted ? shown.slice(1) : shown,
      promoted: promoted ? shown[0]! : null,
      next: next === null ? null : encodeCursor([ahead, next]),
      latest: newest[0]?.body.opened ?? null,
      muses: await loadSummaries(models, museIdsIn(shown)),
    };
    // The promoted item changes with the clock.
    return cacheable(answer, until);
  },
});

/** The cursor of a first page also carries the promoted item, which later pages skip. */
function parseCursor(before: string): [ahead: number | null, rest: string] {
  const [ahead, rest] = decodeCursor(before, 'before', 2);
  return [typeof ahead === 'number' ? ahead : null, rest as string];
}
