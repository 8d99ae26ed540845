import { MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { ApiError, type ConnectionLost } from './errors.js';

export interface RetryBounds {
  /** Attempts per operation, including the first. */
  readonly attemptsMax: number;
  /** Maximum duration of one operation with all repetitions. */
  readonly totalMs: number;
  /** First wait if the service names none; doubles each time up to `backoffMaxMs`. */
  readonly backoffMs: number;
  readonly backoffMaxMs: number;
}

export const RETRY_BOUNDS: RetryBounds = {
  attemptsMax: 10,
  totalMs: 2 * MINUTE_MS,
  backoffMs: 250,
  backoffMaxMs: 5 * SECOND_MS,
};

const RETRY_STATUSES: ReadonlySet<number> = new Set([429, 503]);
/** Codes while a request runs or its payment is unconfirmed. */
const PENDING_CODES: ReadonlySet<string> = new Set(['in_progress', 'settlement_pending', 'settlement_unknown']);

/** Whether repeating the same request makes sense. */
export function isRepeatable(failure: ApiError | ConnectionLost): boolean {
  if (!(failure instanceof ApiError)) return true;
  return (RETRY_STATUSES.has(failure.status) && failure.body['retryable'] !== false) || PENDING_CODES.has(failure.code);
}

/** Wait before the next attempt in ms; null once a bound is reached. */
export function retryDelay(
  failure: ApiError | ConnectionLost,
  attempts: number,
  elapsedMs: number,
  bounds: RetryBounds,
): number | null {
  const backoffMs = Math.min(bounds.backoffMs * 2 ** (attempts - 1), bounds.backoffMaxMs);
  const waitMs = (failure instanceof ApiError ? failure.retryAfterMs : null) ?? backoffMs;
  return attempts < bounds.attemptsMax && elapsedMs + waitMs <= bounds.totalMs ? waitMs : null;
}
