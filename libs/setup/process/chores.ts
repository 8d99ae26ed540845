import type { Logger } from 'pino';
import { RetryFailureLog } from '#libs/platform/outages/retry-failure-log.js';
import { OutageTracker } from '#libs/platform/outages/outage-tracker.js';

/** Something that is to be done again and again; what fails is tried again the next time. */
export interface Chore {
  readonly name: string;
  readonly everyMs: number;
  /** It is done at once too: a process that never lives for long has to come to it. */
  readonly atStart?: boolean;
  run(): Promise<void>;
}

/** Runs chores, each one after itself: a slow pass is not overtaken by the next. Answers what ends them. */
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
    const failed = failures.get(chore)!;
    const pass = chore
      .run()
      .then(() => failed.recordSuccess())
      .catch((error: unknown) =>
        failed.recordFailure(error, 'a chore failed; it is tried again', { chore: chore.name }),
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
