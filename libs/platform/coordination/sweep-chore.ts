import { type Clock, MINUTE_MS } from '#libs/kernel/clock.js';
import type { Coordination } from './port.js';

/** How many entries go at once: other writers wait meanwhile. */
const BATCH_SIZE = 1_000;

/** Removes the nonces, counters and saved answers whose time is over. Any number of processes may do it at once. */
export function sweepChore(coordination: Coordination, clock: Clock) {
  const run = async () => {
    while ((await coordination.sweep(clock.now(), BATCH_SIZE)) === BATCH_SIZE) await new Promise(setImmediate);
  };
  return { name: 'sweep of short-lived state', everyMs: MINUTE_MS, atStart: true, run };
}
