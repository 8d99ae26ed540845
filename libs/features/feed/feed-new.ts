import { defineQuery, optional, w } from '#libs/endpoints/declare.js';
import { constraint } from '#libs/values/constraint.js';
import { textValue } from '#libs/values/value.js';
import { AFTER_ALL_IDS, FIND_MAX } from '#libs/documents/index-range.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { cacheable } from '#libs/http/response-cache.js';
import { isPosition, LOG_START } from '#libs/kernel/event.js';
import { Items } from './views/items.js';

const latest = textValue({
  schema: {
    type: 'string',
    pattern: '^[0-9]+$',
    description: '`latest` of an earlier answer; without it, all items count',
  },
  rules: [constraint('isPosition', 'malformed', isPosition)],
  mustBe: '`latest` of an answer of /api/feed',
});

export const feedNew = defineQuery('feed_new', {
  path: '/api/feed/new',
  query: { since: optional(latest) },
  uses: { models: ReadModels },
  answer: w.object({ count: w.integer(1, `At most ${FIND_MAX}`) }),
  doc: {
    tag: 'Feed',
    tool: null,
    summary: 'Count new feed items',
    details: `Counts the items since \`latest\` of an earlier answer of \`/api/feed\`, up to ${FIND_MAX}.`,
  },
  async find({ since = LOG_START }, { models }) {
    const range = { index: 'all', equals: [true], order: 'asc', limit: FIND_MAX } as const;
    const newItems = await models.of(Items).find({ ...range, after: [since, AFTER_ALL_IDS] });
    return cacheable({ count: newItems.length });
  },
});
