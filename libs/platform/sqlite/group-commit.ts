import { Unavailable } from '#libs/kernel/refusal.js';
import type { Sqlite } from './sqlite.js';

/** How many writes share one transaction at most. */
export const GROUP_MAX = 512;
/** How many turns of the event loop a group waits at most for writes that come right behind its first ones. */
export const GATHER_TICKS_MAX = 4;
/** How many writes wait at most; what comes on top is refused as an outage. */
export const QUEUE_MAX = 20_000;

interface QueuedWrite {
  work(): unknown;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

/**
 * Each commit costs a sync of the disk, however much it holds. So writes that wait at the same moment share a commit.
 *
 * A `work` decides by reading, then writes, and answers the outcome. It answers a refusal instead of throwing it: a
 * throw undoes the whole group, whose writes are then done again, each in a transaction of its own.
 */
export class GroupCommit {
  private queue: QueuedWrite[] = [];
  private closed = false;

  /** `committed` is called after every commit with the outcomes in their order, behind the answers. */
  constructor(
    private readonly file: Sqlite,
    private readonly onCommit: (outcomes: readonly unknown[]) => void = () => {},
  ) {}

  /** Answers when the transaction is committed. Rejects with `Unavailable`, or with what `work` throws. */
  run<T>(work: () => T): Promise<T> {
    if (this.closed || this.queue.length >= QUEUE_MAX) return Promise.reject(new Unavailable(this.file.what));
    return new Promise<T>((resolve, reject) => {
      this.queue.push({ work, resolve: value => resolve(value as T), reject });
      if (this.queue.length === 1) setImmediate(() => this.gather(1, GATHER_TICKS_MAX));
    });
  }

  /**
   * Where two writes come at once, more are coming: the group is committed after the first turn that brings no new one.
   */
  private gather(seen: number, turnsLeft: number): void {
    const { length } = this.queue;
    if (length === seen || turnsLeft === 0 || length >= GROUP_MAX) return this.flush();
    setImmediate(() => this.gather(length, turnsLeft - 1));
  }

  /** Commits what waits. Writes that come later are refused. */
  close(): void {
    this.closed = true;
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
