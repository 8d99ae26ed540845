import { Unavailable } from '#libs/kernel/refusal.js';
import type { Sqlite } from './sqlite.js';

const GROUP_MAX = 512;
const GATHER_TICKS_MAX = 4;
export const QUEUE_MAX = 20_000;

interface QueuedWrite {
  work(): unknown;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

/**
 * Lets concurrent writes share one commit, because each commit costs a disk sync. A write must return refusals: a throw
 * rolls back the group, whose writes are then retried one by one.
 */
export class GroupCommit {
  private queue: QueuedWrite[] = [];
  private isClosed = false;

  /** `onCommit` gets the results in order, after the promises are resolved. */
  constructor(
    private readonly file: Sqlite,
    private readonly onCommit: (outcomes: readonly unknown[]) => void = () => {},
  ) {}

  /** Resolves after the commit. Rejects with `Unavailable`, or with the error of `work`. */
  run<T>(work: () => T): Promise<T> {
    if (this.isClosed || this.queue.length >= QUEUE_MAX) return Promise.reject(new Unavailable(this.file.component));
    return new Promise<T>((resolve, reject) => {
      this.queue.push({ work, resolve: value => resolve(value as T), reject });
      if (this.queue.length === 1) setImmediate(() => this.gather(1, GATHER_TICKS_MAX));
    });
  }

  private gather(lastLength: number, ticksLeft: number): void {
    const { length } = this.queue;
    if (length === lastLength || ticksLeft === 0 || length >= GROUP_MAX) return this.flush();
    setImmediate(() => this.gather(length, ticksLeft - 1));
  }

  close(): void {
    this.isClosed = true;
    while (this.queue.length > 0) this.flush();
  }

  private flush(): void {
    const group = this.queue.slice(0, GROUP_MAX);
    this.queue = this.queue.slice(group.length);
    if (this.queue.length > 0) setImmediate(() => this.flush());
    if (group.length > 0) this.commit(group);
  }

  private commit(group: QueuedWrite[]): void {
    const outcome = this.attempt(group);
    if (outcome.results) {
      group.forEach((each, index) => each.resolve(outcome.results[index]));
      this.onCommit(outcome.results);
    } else if (group.length === 1 || outcome.error instanceof Unavailable) {
      group.forEach(each => each.reject(outcome.error));
    } else {
      group.forEach(each => this.commit([each]));
    }
  }

  private attempt(group: QueuedWrite[]): { results: unknown[] } | { results?: undefined; error: unknown } {
    try {
      return { results: this.file.write(() => group.map(each => each.work())) };
    } catch (error) {
      return { error };
    }
  }
}
