import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';

/** How long after each failure in a row a message is tried again: as Standard Webhooks 1.0.0 has it, then once a day. */
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
/** How much later or sooner than that, so that receivers that failed together are not all asked together. */
const JITTER = 0.1;
/** How long one message is tried. */
export const GIVE_UP_MS = 5 * DAY_MS;

interface FailedDelivery {
  /** Failures in a row, this one too. */
  readonly failures: number;
  /** When the first of them was, unix ms. */
  readonly since: number;
  /** Now, unix ms. */
  readonly now: number;
  /** What the receiver asked for, ms. */
  readonly retryAfterMs: number | null;
  /** From 0 to 1. */
  readonly chance: number;
}

/** When a message is tried again, unix ms; null where it is given up. The last time is when it would be given up. */
export function nextAttemptAt({ failures, since, now, retryAfterMs, chance }: FailedDelivery): number | null {
  const until = since + GIVE_UP_MS;
  if (now >= until) return null;
  const delay = DELAYS_MS[Math.min(failures, DELAYS_MS.length) - 1]!;
  const own = delay * (1 + JITTER * (2 * chance - 1));
  const wait = Math.min(Math.max(own, retryAfterMs ?? 0), DAY_MS);
  return Math.min(Math.round(now + wait), until);
}

/** A date as RFC 9110 has it (5.6.7): what else a runtime reads as one is not taken for it. */
const IMF_FIXDATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** What a `Retry-After` says (RFC 9110, 10.2.3): seconds or a date; null where it says neither. */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^[0-9]{1,9}$/.test(header)) return Number(header) * SECOND_MS;
  const date = IMF_FIXDATE.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
