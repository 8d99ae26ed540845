import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';

/** Schedule of Standard Webhooks 1.0.0, then once a day. */
const DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  DAY_MS,
];
/** Spreads the retries of receivers that failed together. */
const JITTER_SHARE = 0.1;
export const GIVE_UP_MS = 5 * DAY_MS;

interface FailedDelivery {
  readonly failures: number;
  /** Time of the first failure, unix ms. */
  readonly since: number;
  readonly now: number;
  readonly retryAfterMs: number | null;
  readonly chance: number;
}

/** Returns the time of the next attempt, unix ms, or null to give up. The last attempt is at the deadline. */
export function nextAttemptAt({ failures, since, now, retryAfterMs, chance }: FailedDelivery): number | null {
  const until = since + GIVE_UP_MS;
  if (now >= until) return null;
  const delay = DELAYS_MS[Math.min(failures, DELAYS_MS.length) - 1]!;
  const jittered = delay * (1 + JITTER_SHARE * (2 * chance - 1));
  const wait = Math.min(Math.max(jittered, retryAfterMs ?? 0), DAY_MS);
  return Math.min(Math.round(now + wait), until);
}

/** HTTP date (RFC 9110, 5.6.7). `Date.parse` alone would accept other formats. */
const IMF_FIXDATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** Returns the wait in ms (RFC 9110, 10.2.3), or null for an invalid header. */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^[0-9]{1,9}$/.test(header)) return Number(header) * SECOND_MS;
  const date = IMF_FIXDATE.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
