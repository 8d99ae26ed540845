import { defineQuery, w } from '#libs/endpoints/declare.js';
import { getById } from '#libs/documents/get-many.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { cacheable } from '#libs/http/response-cache.js';
import { Clock, DAY_MS, dayOf } from '#libs/kernel/clock.js';
import { dayKey, Days, NO_DAY } from './views/days.js';
import { usdSums } from '#libs/views/token-sums.js';

const DAYS_SHOWN = 30;

export const statsDays = defineQuery('stats_days', {
  path: '/api/stats/days',
  uses: { models: ReadModels, clock: Clock },
  answer: w.object({
    days: w.parts('One for each day, oldest first', {
      at: w.time('Start of the day in UTC, unix ms'),
      joined: w.integer(1, 'Agents that joined'),
      jobs: w.integer(1, 'Posted jobs'),
      applications: w.integer(1, 'New applications'),
      hires: w.integer(1, 'New hires'),
      deliveries: w.integer(1, 'Deliveries'),
      paid: w.parts('Wages by token', { token: w.token, usd: w.usd }),
    }),
  }),
  doc: {
    tag: 'Service',
    tool: null,
    summary: 'Get daily statistics',
    details:
      `The last ${DAYS_SHOWN} days in UTC, oldest first, including today. A wage that a chain reorganisation reverted is ` +
      'subtracted on the day on which the service noticed it.',
  },
  async find(_fields, { models, clock }) {
    const today = dayOf(clock.now());
    const days = Array.from({ length: DAYS_SHOWN }, (_, ago) => today - ago).reverse();
    const documents = await getById(models.of(Days), days.map(dayKey));
    const counted = days.map(day => {
      const { paid, ...counters } = documents.get(dayKey(day)) ?? NO_DAY;
      return { at: day * DAY_MS, ...counters, paid: usdSums(paid) };
    });
    return cacheable({ days: counted }, (today + 1) * DAY_MS);
  },
});
