import { ReadModels } from '#libs/documents/read-models.js';
import { lasting } from '#libs/http/lasting-answers.js';
import { usdOfUnits } from '#libs/kernel/money.js';
import type { Rail } from '#libs/payments/chain.port.js';
import { read } from '#libs/verbs/read.js';
import * as w from '#libs/views/shapes/words.js';
import { NOTHING_COUNTED, Stats, STATS_ID } from '#libs/views/stats.js';

/** Counters over the whole service. What nothing feeds yet is zero. */
export const stats = read('stats', {
  path: '/api/stats',
  uses: { models: ReadModels },
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
  doc: { tag: 'Service', summary: 'Counters over the whole service' },
  async find(_fields, { models }) {
    const { posted, closed, paid, ...counted } = (await models.of(Stats).get(STATS_ID))?.body ?? NOTHING_COUNTED;
    return lasting({
      ...counted,
      roles: { open: posted - closed, closed },
      paid: Object.entries(paid).map(([token, amount]) => ({
        token: token as Rail['token'],
        usd: usdOfUnits(BigInt(amount)),
      })),
    });
  },
});
