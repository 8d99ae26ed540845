import { expect, test } from '@jest/globals';
import { coveredAt, type CountedPayment, Spending, spentSince, sumOf } from '#libs/domain/spending.js';
import { DAY_MS, HOUR_MS } from '#libs/kernel/clock.js';

const NOW = 1_700_000_000_000;
const paid = (amount: bigint, hoursAgo: number): CountedPayment => ({ amount, at: NOW - hoursAgo * HOUR_MS });

test('a payment counts for 24 hours and no longer', () => {
  const payments = [paid(1n, 25), paid(2n, 24), paid(4n, 23.9), paid(8n, 0)];
  const spending = payments.reduce((all, each, n) => all.with(`payment-${n}`, each), Spending.initial);
  expect(sumOf(spentSince(spending, NOW))).toBe(12n);
});

test('an amount is covered once enough earlier payments are older than 24 hours', () => {
  const spending = [paid(4n, 20), paid(4n, 10), paid(2n, 1)];
  expect(coveredAt(spending, 4n, 10n, NOW)).toBe(NOW - 20 * HOUR_MS + DAY_MS);
  expect(coveredAt(spending, 8n, 10n, NOW)).toBe(NOW - 10 * HOUR_MS + DAY_MS);
});

test('an amount above the sum of a token is not covered within a day', () => {
  expect(coveredAt([], 11n, 10n, NOW)).toBe(NOW + DAY_MS);
});
