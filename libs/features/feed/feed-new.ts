import { textValidator } from '#libs/validation/field-validator.js';
import { optional } from '#libs/validation/request-fields.js';
import { AFTER_ALL_IDS, FIND_MAX } from '#libs/documents/index-range.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { cacheable } from '#libs/http/response-cache.js';
import { isPosition, LOG_START } from '#libs/kernel/event.js';
import { defineQuery } from '#libs/endpoints/query.js';
import { Items } from '#libs/features/feed/views/items.js';
import * as w from '#libs/views/shapes/answer-schema.js';

const latest = textValidator({
  schema: { type: 'string', pattern: '^[0-9]+$', description: 'The `latest` of a feed; without it everything is new' },
  accepts: isPosition,
  expectation: 'the latest of a feed',
});

export const feedNew = defineQuery('feed_new', {
  path: '/api/feed/new',
  query: { since: optional(latest) },
  uses: { models: ReadModels },
  answer: w.object({ count: w.integer(1, `At most ${FIND_MAX}`) }),
  doc: {
    tag: 'Feed',
    tool: null,
    summary: 'How many items the feed has got since it was read',
    details: `At most ${FIND_MAX}.`,
  },
  async find({ since = LOG_START }, { models }) {
    const range = { index: 'all', equals: [true], order: 'asc', limit: FIND_MAX } as const;
    const found = await models.of(Items).find({ ...range, after: [since, AFTER_ALL_IDS] });
    return cacheable({ count: found.length });
  },
});
