import { unlessOut } from '#libs/sqlite/open.js';
import type { Sqlite, Statement } from '#libs/sqlite/open.js';

/** How often the file's change counter is looked at while somebody listens. */
export const WAKE_POLL_MS = 20;

/**
 * Who wants to know of new events. Commits of this process are told by it; those of others change a counter that
 * SQLite keeps (`PRAGMA data_version` on the writing connection, which its own commits leave alone).
 */
export class Wakes {
  private readonly listeners = new Set<() => void>();
  private readonly counter: Statement<[number]>;
  private seen: number | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(writer: Sqlite) {
    this.counter = writer.prepare<[number]>('PRAGMA data_version');
    this.seen = this.counter.one()?.[0];
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
    const now = unlessOut(() => this.counter.one()?.[0], this.seen);
    if (now === this.seen) return;
    this.seen = now;
    this.wake();
  }
}
