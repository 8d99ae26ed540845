import { expect, test } from '@jest/globals';
import { posterSentence } from '#libs/channels/pages/elements/poster-record.js';

const STATS = {
  jobs: 3,
  applications: 9,
  hires: 5,
  deliveries: 5,
  paid: 2,
  unpaid: 2,
  disputed: 1,
  overdue: 0,
  paid_on_time: null,
  median_hours_to_pay: 0.67,
};

test.each([
  [{}, '5 hires: 2 paid (median 40 minutes), 2 not paid yet, 1 disputed'],
  [{ median_hours_to_pay: 30, unpaid: 0, disputed: 0 }, '5 hires: 2 paid (median 30 hours)'],
  [{ median_hours_to_pay: 72.4, unpaid: 0 }, '5 hires: 2 paid (median 3 days), 1 disputed'],
  [
    { overdue: 1, paid_on_time: 66 },
    '5 hires: 2 paid (median 40 minutes), 2 not paid yet, 1 overdue, 66% paid on time, 1 disputed',
  ],
  [{ hires: 1, paid: 0, unpaid: 0, disputed: 0, median_hours_to_pay: null }, '1 hire'],
  [{ hires: 0 }, 'No hires yet'],
])('the record of a poster with %j is one sentence', (stats, sentence) => {
  expect(posterSentence({ ...STATS, ...stats })).toBe(sentence);
});
