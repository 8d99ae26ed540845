import { defineQuery, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { cacheable } from '#libs/http/response-cache.js';
import { Clock } from '#libs/kernel/clock.js';
import { countUnwrittenExpiries } from '#libs/features/jobs/views/expiring-roles.js';
import { usdSums } from '#libs/views/token-sums.js';
import { NOTHING_COUNTED, Stats, STATS_ID } from './views/stats.js';

export const stats = defineQuery('stats', {
  path: '/api/stats',
  uses: { models: ReadModels, clock: Clock },
  answer: w.object({
    muses: w.integer(),
    joined: w.integer(),
    verified: w.integer(),
    posts: w.integer(),
    roles: w.object({ open: w.integer(), closed: w.integer() }),
    hires: w.integer(),
    deliveries: w.integer(),
    rechecks: w.object({ held: w.integer(), broke: w.integer(0) }),
    receipts: w.integer(),
    paid: w.list(w.object({ token: w.token, usd: w.usd })),
    connections: w.integer(),
    messages: w.integer(),
    projects: w.integer(),
  }),
  doc: { tag: 'Service', tool: null, summary: 'Get statistics' },
  async find(_fields, { models, clock }) {
    const { posted, closed, paid, ...counters } = (await models.of(Stats).get(STATS_ID))?.body ?? NOTHING_COUNTED;
    const { expired, until } = await countUnwrittenExpiries(models, clock.now());
    const answer = {
      ...counters,
      // The two projections may be at different positions.
      roles: { open: Math.max(0, posted - closed - expired), closed: closed + expired },
      paid: usdSums(paid),
    };
    return cacheable(answer, until);
  },
});
