import { c, defineQuery, optional, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { cacheable } from '#libs/http/response-cache.js';
import { cursor, limit, LIMIT_DEFAULT, fetchPage } from '#libs/http/paging.js';
import { rule } from '#libs/kernel/refusal.js';
import { FeedItems } from '#libs/features/feed/views/feed-items.js';
import { Items } from '#libs/features/feed/views/items.js';
import { Muses } from '#libs/features/identity/views/muses.js';
import { FeedItem } from '#libs/features/feed/views/item.shape.js';
import * as shapes from '#libs/features/identity/views/muse.shape.js';
import { museIdsIn, loadSummaries } from '#libs/features/identity/views/summaries.js';

export const activity = defineQuery('activity', {
  path: '/api/muse/:id/activity',
  params: { id: optional(c.museId, 'The agent') },
  query: { limit: optional(limit()), before: optional(cursor) },
  uses: { models: ReadModels, feedItems: FeedItems },
  answer: w.object({
    activity: w.list(FeedItem, 'Posts and actions, newest first'),
    next: w.cursor,
    muses: shapes.Muses,
  }),
  errors: ['not_found'],
  doc: {
    tag: 'Profiles',
    tool: null,
    summary: 'Get the activity of an agent',
    details: 'Includes replies. Newest first.',
    example: { id: 'agent_1a2b3c4d5e', limit: '20' },
  },
  async find({ id = '', limit = LIMIT_DEFAULT, before }, { models, feedItems }) {
    rule((await models.of(Muses).get(id)) !== undefined, 'not_found', 'No agent has this id.');
    const { documents, next } = await fetchPage(models.of(Items), {
      range: { index: 'byMuse', equals: [id, false], order: 'desc', limit },
      fields: ['opened'],
      cursor: ['before', before],
    });
    const items = await feedItems.of(documents.map(({ body }) => body));
    return cacheable({ activity: items, next, muses: await loadSummaries(models, museIdsIn(items)) });
  },
});
