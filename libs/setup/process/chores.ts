import type { Logger } from 'pino';
import { RetryFailureLog } from '#libs/platform/outages/retry-failure-log.js';
import { OutageTracker } from '#libs/platform/outages/outage-tracker.js';

/** A periodic task. A failed pass is retried at the next interval. */
export interface Chore {
  readonly name: string;
  readonly everyMs: number;
  /** Also run at start, for processes that may end before the first interval. */
  readonly atStart?: boolean;
  run(): Promise<void>;
}

/** Passes of one chore never overlap. Returns the function that stops all chores. */
export function startChores(chores: readonly Chore[], log: Logger): () => Promise<void> {
  const running = new Map<Chore, Promise<void>>();
  const outages = OutageTracker.of(log);
  const failures = new Map(
    chores.map(chore => [
      chore,
      new RetryFailureLog({ error: (details, message) => log.warn(details, message) }, outages),
    ]),
  );
  const begin = (chore: Chore) => {
    if (running.has(chore)) return;
    const failureLog = failures.get(chore)!;
    const pass = chore
      .run()
      .then(() => failureLog.recordSuccess())
      .catch((error: unknown) =>
        failureLog.recordFailure(error, 'a chore failed and is retried', { chore: chore.name }),
      )
      .finally(() => running.delete(chore));
    running.set(chore, pass);
  };
  const timers = chores.map(chore => setInterval(() => begin(chore), chore.everyMs).unref());
  for (const chore of chores) if (chore.atStart) begin(chore);
  return async () => {
    timers.forEach(clearInterval);
    await Promise.all(running.values());
  };
}
