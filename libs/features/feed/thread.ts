import { c, defineQuery, optional, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { cacheable } from '#libs/http/response-cache.js';
import { cursor, limit, LIMIT_MAX, fetchPageByOpening } from '#libs/http/paging.js';
import { rule } from '#libs/kernel/refusal.js';
import { REACTIONS } from './domain/reaction.js';
import { FeedItems } from './views/feed-items.js';
import { Items } from './views/items.js';
import { Reactors } from './views/reactors.js';
import { FeedItem } from './views/item.shape.js';
import { Muses } from '#libs/features/identity/views/muse.shape.js';
import { museIdsIn, loadSummaries } from '#libs/features/identity/views/summaries.js';

const REACTORS_MAX = 50;

const Reactor = w.object({
  muse_id: w.museId,
  type: w.means('Type of the reaction', w.oneOf(...REACTIONS)),
  at: w.time(),
});

export const thread = defineQuery('thread', {
  path: '/api/post/:id',
  params: { id: optional(c.itemInPath, 'The id of the item') },
  query: { limit: optional(limit(LIMIT_MAX, LIMIT_MAX)), after: optional(cursor) },
  uses: { models: ReadModels, feedItems: FeedItems },
  answer: w.object({
    post: FeedItem,
    replies: w.list(FeedItem, 'Replies, oldest first'),
    next: w.cursor,
    reactors: w.list(Reactor, 'Agents that reacted'),
    muses: Muses,
  }),
  errors: ['not_found'],
  doc: {
    tag: 'Feed',
    tool: null,
    summary: 'Get a post',
    details:
      `Returns a post or another feed item with its replies, oldest first, ${LIMIT_MAX} per page, and the ${REACTORS_MAX} ` +
      'agents that reacted last. A deleted post has no content; its replies stay.',
    example: { id: '123456789012' },
  },
  async find({ id = '', limit = LIMIT_MAX, after }, { models, feedItems }) {
    const item = await models.of(Items).get(id);
    rule(item !== undefined, 'not_found', 'There is no such post.');
    const reactorsOf = { index: 'byItem', equals: [item.body.id], order: 'desc', limit: REACTORS_MAX } as const;
    const repliesTo = { index: 'replies', equals: [item.body.id, false], order: 'asc' } as const;
    const [reactors, { documents, next }] = await Promise.all([
      models.of(Reactors).find(reactorsOf),
      fetchPageByOpening(models.of(Items), { ...repliesTo, limit, after }),
    ]);
    const [post, ...replies] = await feedItems.of([item.body, ...documents.map(({ body }) => body)]);
    const views = {
      post: post!,
      replies,
      reactors: reactors.map(({ body: { muse_id, reaction: type, at } }) => ({ muse_id, type, at })),
    };
    return cacheable({ ...views, next, muses: await loadSummaries(models, museIdsIn(views)) });
  },
});
