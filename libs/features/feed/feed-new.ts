import { check } from '#libs/validation/check.js';
import { optional } from '#libs/validation/fields.js';
import { BEHIND_IDS, FIND_MAX } from '#libs/documents/range.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { lasting } from '#libs/http/lasting-answers.js';
import { isPosition, START } from '#libs/kernel/event.js';
import { read } from '#libs/endpoints/read.js';
import { Items } from '#libs/features/feed/views/items.js';
import * as w from '#libs/views/shapes/words.js';

const latest = check({
  schema: { type: 'string', pattern: '^[0-9]+$', description: 'The `latest` of a feed; without it everything is new' },
  holds: isPosition,
  mustBe: 'the latest of a feed',
});

export const feedNew = read('feed_new', {
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
  async find({ since = START }, { models }) {
    const range = { index: 'all', equals: [true], order: 'asc', limit: FIND_MAX } as const;
    const found = await models.of(Items).find({ ...range, after: [since, BEHIND_IDS] });
    return lasting({ count: found.length });
  },
});
