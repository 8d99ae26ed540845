import { once } from 'node:events';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { within } from '#libs/platform/bounds/time-limit.js';

/** Limit for stopping: 10 s for running requests, the rest for pending writes. */
export const STOP_MS = 14 * SECOND_MS;
/** Time for running requests (cut after 10 s), reactions and commits. Reactions and commits resume after a restart. */
export const DRAIN_MS = 10.5 * SECOND_MS;
/** Time for closing the stores after that. Both together stay below `STOP_MS`. */
export const STORES_CLOSE_MS = 3 * SECOND_MS;

export async function waitAtMost(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  await within(timeoutMs, work, () => undefined);
}

/** Throws the signal's reason if the process is stopped before the work ends. */
export async function unlessStopped<T>(work: Promise<T>, stopping: AbortSignal): Promise<T> {
  // The abandoned work may still fail.
  work.catch(() => undefined);
  stopping.throwIfAborted();
  const stopped = once(stopping, 'abort').then((): never => {
    throw stopping.reason;
  });
  return Promise.race([work, stopped]);
}
