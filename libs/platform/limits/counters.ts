import type { Coordination, Count } from '#libs/platform/coordination/port.js';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import type { MaybeAsync } from './maybe-async.js';

/**
 * Where requests are counted. A counter ends so many seconds after its first addition, and begins again; never later
 * than so many seconds from now, also where it was begun by a clock that had jumped ahead.
 */
export abstract class Counters {
  abstract add(key: string, amount: number, seconds: number): MaybeAsync<Count>;
  /** A counter of so many seconds as it stands. */
  abstract getCount(key: string, seconds: number): MaybeAsync<Count | undefined>;
  /** Notes that a request was counted; answers whether that was noted before. */
  abstract mark(key: string, forMs: number): MaybeAsync<boolean>;
  abstract isMarked(key: string): MaybeAsync<boolean>;
  abstract unmark(key: string): MaybeAsync<void>;
  /** Writes down what has to survive a restart. */
  abstract flush(): Promise<void>;
}

const MARK = '1';

/** Counters that processes share. */
export class SharedCounters implements Counters {
  constructor(
    private readonly coordination: Coordination,
    private readonly clock: Clock,
  ) {}

  add(key: string, amount: number, seconds: number): Promise<Count> {
    const now = this.clock.now();
    return this.coordination.add(key, amount, now + seconds * SECOND_MS, now);
  }

  /** One that would end too late is told of by the next addition, which brings its end forward for everybody. */
  async getCount(key: string, seconds: number): Promise<Count | undefined> {
    const now = this.clock.now();
    const count = await this.coordination.getCount(key, now);
    return count && count.endsAt <= now + seconds * SECOND_MS ? count : undefined;
  }

  async mark(key: string, forMs: number): Promise<boolean> {
    const now = this.clock.now();
    return (await this.coordination.putIfAbsent(key, MARK, now + forMs, now)) !== undefined;
  }

  async isMarked(key: string): Promise<boolean> {
    return (await this.coordination.get(key, this.clock.now())) !== undefined;
  }

  async unmark(key: string): Promise<void> {
    const now = this.clock.now();
    await this.coordination.compareAndSet(key, MARK, null, now, now);
  }

  async flush(): Promise<void> {}
}
