import { HOUR_MS, MINUTE_MS } from '#libs/kernel/clock.js';

/** How long a delivery that could not be read is tried again. */
export const GIVEN_UP_MS = 24 * HOUR_MS;
/** The first pause; each further one is twice as long, up to the longest. */
export const PAUSE_MS_MIN = MINUTE_MS;
export const PAUSE_MS_MAX = 4 * HOUR_MS;

/** How often a delivery was tried again, and when the next time is, unix ms. */
export interface RetryState {
  readonly tries: number;
  readonly next: number;
}

/** Before the first further try. */
export const initialRetryState = (deliveredAt: number): RetryState => ({ tries: 0, next: deliveredAt + PAUSE_MS_MIN });

/** What is known once a try has begun. */
export function nextRetryState({ tries }: RetryState, now: number): RetryState {
  return { tries: tries + 1, next: now + Math.min(PAUSE_MS_MIN * 2 ** (tries + 1), PAUSE_MS_MAX) };
}

/** Whether nothing of this age is tried any more. */
export const isGivenUp = (deliveredAt: number, now: number) => now - deliveredAt >= GIVEN_UP_MS;
