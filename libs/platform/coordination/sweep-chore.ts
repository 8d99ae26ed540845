import { type Clock, MINUTE_MS } from '#libs/kernel/clock.js';
import type { Coordination } from './port.js';

const BATCH_SIZE = 1_000;

export function sweepChore(coordination: Coordination, clock: Clock) {
  const run = async () => {
    while ((await coordination.sweep(clock.now(), BATCH_SIZE)) === BATCH_SIZE) await new Promise(setImmediate);
  };
  return { name: 'sweep of short-lived state', everyMs: MINUTE_MS, atStart: true, run };
}
