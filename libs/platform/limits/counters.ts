import type { Coordination, Count } from '#libs/platform/coordination/port.js';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import type { MaybeAsync } from './maybe-async.js';

/**
 * Request counters. A window starts with the first addition and never ends later than `seconds` from now, even if the
 * clock had jumped ahead.
 */
export abstract class Counters {
  abstract add(key: string, amount: number, seconds: number): MaybeAsync<Count>;
  abstract getCount(key: string, seconds: number): MaybeAsync<Count | undefined>;
  abstract mark(key: string, forMs: number): MaybeAsync<boolean>;
  abstract isMarked(key: string): MaybeAsync<boolean>;
  abstract unmark(key: string): MaybeAsync<void>;
  abstract flush(): Promise<void>;
}

const MARK = '1';

export class SharedCounters implements Counters {
  constructor(
    private readonly coordination: Coordination,
    private readonly clock: Clock,
  ) {}

  add(key: string, amount: number, seconds: number): Promise<Count> {
    const now = this.clock.now();
    return this.coordination.add(key, amount, now + seconds * SECOND_MS, now);
  }

  /** A counter that ends too late counts as absent. The next addition shortens it. */
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
