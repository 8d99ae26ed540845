import type { Logger } from 'pino';

/** Something that is to be done again and again; what fails is tried again the next time. */
export interface Chore {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<void>;
}

/** Runs chores, each one after itself: a slow pass is not overtaken by the next. Answers what ends them. */
export function startChores(chores: readonly Chore[], log: Logger): () => Promise<void> {
  const running = new Map<Chore, Promise<void>>();
  const timers = chores.map(chore =>
    setInterval(() => {
      if (running.has(chore)) return;
      const pass = chore
        .run()
        .catch((error: unknown) => log.warn({ err: error, chore: chore.name }, 'a chore failed; it is tried again'))
        .finally(() => running.delete(chore));
      running.set(chore, pass);
    }, chore.everyMs).unref(),
  );
  return async () => {
    timers.forEach(clearInterval);
    await Promise.all(running.values());
  };
}
