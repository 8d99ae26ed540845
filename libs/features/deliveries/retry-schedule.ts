import { HOUR_MS, MINUTE_MS } from '#libs/kernel/clock.js';

export const RETRY_TOTAL_MS = 24 * HOUR_MS;
export const PAUSE_MS_MIN = MINUTE_MS;
export const PAUSE_MS_MAX = 4 * HOUR_MS;

/** `next` is unix ms. */
export interface RetryState {
  readonly tries: number;
  readonly next: number;
}

export const initialRetryState = (deliveredAt: number): RetryState => ({ tries: 0, next: deliveredAt + PAUSE_MS_MIN });

export function nextRetryState({ tries }: RetryState, now: number): RetryState {
  return { tries: tries + 1, next: now + Math.min(PAUSE_MS_MIN * 2 ** (tries + 1), PAUSE_MS_MAX) };
}

export const isGivenUp = (deliveredAt: number, now: number) => now - deliveredAt >= RETRY_TOTAL_MS;
