import { MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { ApiError, type ConnectionLost } from './errors.js';

export interface RetryBounds {
  /** How often one operation is sent, the first time included. */
  readonly attemptsMax: number;
  /** How long one operation may take with all its repetitions. */
  readonly totalMs: number;
  /** The first wait where the service names none; doubled each time up to `backoffMaxMs`. */
  readonly backoffMs: number;
  readonly backoffMaxMs: number;
}

export const RETRY_BOUNDS: RetryBounds = {
  attemptsMax: 10,
  totalMs: 2 * MINUTE_MS,
  backoffMs: 250,
  backoffMaxMs: 5 * SECOND_MS,
};

const SLOW_DOWN: ReadonlySet<number> = new Set([429, 503]);
/** The same request is being carried out, or its payment is not confirmed yet. */
const UNDER_WAY: ReadonlySet<string> = new Set(['in_progress', 'settlement_pending', 'settlement_unknown']);

/** Whether the same request, sent again as it is, is what the failure calls for; not where the service says that it is not. */
export function isRepeatable(failure: ApiError | ConnectionLost): boolean {
  if (!(failure instanceof ApiError)) return true;
  return (SLOW_DOWN.has(failure.status) && failure.body['retryable'] !== false) || UNDER_WAY.has(failure.code);
}

/** How long to wait before the next attempt, in ms; null where the bounds are reached. */
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
