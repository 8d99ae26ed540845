import { orIfUnavailable } from '#libs/platform/sqlite/sqlite.js';
import type { Sqlite } from '#libs/platform/sqlite/sqlite.js';
import { ForeignCommits } from './sqlite.foreign-commits.js';

export const WAKE_POLL_MS = 20;

/** Notifies listeners of new events: directly after commits of this process, by polling for those of others. */
export class WakeListeners {
  private readonly listeners = new Set<() => void>();
  private readonly foreign: ForeignCommits;
  private timer: NodeJS.Timeout | undefined;

  constructor(writer: Sqlite) {
    this.foreign = new ForeignCommits(writer);
  }

  add(listener: () => void): () => void {
    const subscription = () => listener();
    this.listeners.add(subscription);
    this.timer ??= setInterval(() => this.poll(), WAKE_POLL_MS).unref();
    return () => {
      this.listeners.delete(subscription);
      if (this.listeners.size === 0) this.stopPolling();
    };
  }

  wake(): void {
    for (const listener of this.listeners) queueMicrotask(listener);
  }

  close(): void {
    this.listeners.clear();
    this.stopPolling();
  }

  private stopPolling(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private poll(): void {
    if (orIfUnavailable(() => this.foreign.hasNew(), false)) this.wake();
  }
}
