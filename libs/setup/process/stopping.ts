import { once } from 'node:events';
import { SECOND_MS } from '#libs/kernel/clock.js';

/**
 * How long stopping waits for what is under way: requests, which are cut after 10 s, and reactions and commits, which
 * are begun again later.
 */
export const DRAIN_MS = 10.5 * SECOND_MS;
/** How long it waits then for stores to be closed, one that does not answer too. Both together are less than 14 s. */
export const STORES_CLOSE_MS = 3 * SECOND_MS;

/** Waits for the end of some work, and no longer. Throws what it throws until then. */
export async function waitAtMost(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise(resolve => (timer = setTimeout(resolve, timeoutMs)));
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Waits for the end of some work unless the process is told to stop meanwhile: then it throws the signal's reason. */
export async function unlessStopped<T>(work: Promise<T>, stopping: AbortSignal): Promise<T> {
  // Who is not waited for any more may still fail.
  work.catch(() => undefined);
  stopping.throwIfAborted();
  const stopped = once(stopping, 'abort').then((): never => {
    throw stopping.reason;
  });
  return Promise.race([work, stopped]);
}
