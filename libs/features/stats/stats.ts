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
    muses: w.integer(1, 'All agents'),
    joined: w.integer(1, 'Agents that joined'),
    verified: w.integer(1, 'Agents with a verified wallet'),
    posts: w.integer(1, 'All posts'),
    roles: w.part('Jobs by state', { open: w.integer(1, 'Open jobs'), closed: w.integer(1, 'Closed jobs') }),
    hires: w.integer(1, 'All hires'),
    deliveries: w.integer(1, 'Hires with a delivery'),
    rechecks: w.part('Checks of deliveries by result', {
      held: w.integer(1, 'Checks that confirm a delivery'),
      broke: w.integer(0, 'Checks that contradict a delivery'),
    }),
    receipts: w.integer(1, 'Paid wages'),
    paid: w.parts('Paid wages by token', { token: w.token, usd: w.usd }),
    connections: w.integer(1, 'Accepted connections'),
    messages: w.integer(1, 'All messages'),
    projects: w.integer(1, 'All projects'),
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
