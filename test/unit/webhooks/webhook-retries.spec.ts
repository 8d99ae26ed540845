import { expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { GIVE_UP_MS, nextAttemptAt, parseRetryAfter } from '#libs/features/webhooks/webhook-retries.js';

const failed = { failures: 1, since: 0, now: 0, retryAfterMs: null, chance: 0.5 };

test('retry delays grow to one day with some jitter and end after five days', () => {
  const waits: number[] = [];
  let now = 0;
  for (let failures = 1; ; failures += 1) {
    const next = nextAttemptAt({ ...failed, failures, now });
    if (next === null) break;
    waits.push(next - now);
    now = next;
  }
  const hours = [2, 5, 10, 14, 20, 24].map(each => each * HOUR_MS);
  expect(waits.slice(0, 9)).toEqual([5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, ...hours]);
  expect(Math.max(...waits)).toBe(DAY_MS);
  expect(now).toBe(GIVE_UP_MS);
  expect(nextAttemptAt({ ...failed, chance: 0 })).toBe(4_500);
  expect(nextAttemptAt({ ...failed, chance: 1 })).toBe(5_500);
});

test('honors a requested delay up to a day but never retries sooner than planned', () => {
  expect(nextAttemptAt({ ...failed, retryAfterMs: HOUR_MS })).toBe(HOUR_MS);
  expect(nextAttemptAt({ ...failed, retryAfterMs: 30 * DAY_MS })).toBe(DAY_MS);
  expect(nextAttemptAt({ ...failed, retryAfterMs: 1 })).toBe(5 * SECOND_MS);
});

test('reads Retry-After as seconds or as a date and ignores other values', () => {
  const now = Date.UTC(2026, 10, 23, 6, 0, 0);
  expect(parseRetryAfter('120', now)).toBe(2 * MINUTE_MS);
  expect(parseRetryAfter('Mon, 23 Nov 2026 07:00:00 GMT', now)).toBe(HOUR_MS);
  expect(parseRetryAfter('Mon, 23 Nov 2026 05:00:00 GMT', now)).toBe(0);
  for (const header of [null, 'soon', '-1', '1e9', '9'.repeat(40)]) expect(parseRetryAfter(header, now)).toBeNull();
});
