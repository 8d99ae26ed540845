import { orIfUnavailable } from '#libs/platform/sqlite/sqlite.js';
import type { Sqlite } from '#libs/platform/sqlite/sqlite.js';
import { ForeignCommits } from './sqlite.foreign-commits.js';

/** How often the file's change counter is looked at while somebody listens. */
export const WAKE_POLL_MS = 20;

/** Who wants to know of new events. Commits of this process are told by it; those of others are looked for. */
export class WakeListeners {
  private readonly listeners = new Set<() => void>();
  private readonly foreign: ForeignCommits;
  private timer: NodeJS.Timeout | undefined;

  constructor(writer: Sqlite) {
    this.foreign = new ForeignCommits(writer);
  }

  /** The same function may listen more than once. */
  add(listener: () => void): () => void {
    const own = () => listener();
    this.listeners.add(own);
    this.timer ??= setInterval(() => this.poll(), WAKE_POLL_MS).unref();
    return () => {
      this.listeners.delete(own);
      if (this.listeners.size === 0) this.rest();
    };
  }

  /** Calls everybody, behind the answers that are on their way already. */
  wake(): void {
    for (const listener of this.listeners) queueMicrotask(listener);
  }

  close(): void {
    this.listeners.clear();
    this.rest();
  }

  private rest(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private poll(): void {
    if (orIfUnavailable(() => this.foreign.hasNew(), false)) this.wake();
  }
}
