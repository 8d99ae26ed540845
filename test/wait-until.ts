import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 10;
const PATIENCE_MS = 30_000;

/** Looks again and again until something holds. Throws after a while. */
export async function waitUntil(holds: () => Promise<boolean> | boolean, patienceMs = PATIENCE_MS): Promise<void> {
  for (const until = Date.now() + patienceMs; !(await holds()); await pause(LOOK_MS))
    if (Date.now() > until) throw new Error(`It did not hold within ${patienceMs} ms: ${holds.toString()}`);
}
