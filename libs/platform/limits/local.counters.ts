import { createLruCache } from '#libs/kernel/lru-cache.js';
import type { Coordination, Count } from '#libs/platform/coordination/port.js';
import { type Clock, HOUR_MS, SECOND_MS } from '#libs/kernel/clock.js';
import type { Counters } from './counters.js';
import type { MaybeAsync } from './maybe-async.js';

const COUNTERS_MAX = 100_000;
const MARKS_MAX = 50_000;
const PERSISTED_SECONDS_MIN = HOUR_MS / SECOND_MS;

/**
 * In-memory counters of a process that owns its stores. Long windows are written with a delay and survive a restart.
 */
export class LocalCounters implements Counters {
  private readonly counters = createLruCache<string, Count>(COUNTERS_MAX);
  private readonly marks = createLruCache<string, number>(MARKS_MAX);
  private unwritten = new Map<string, Count>();

  constructor(
    private readonly coordination: Coordination,
    private readonly clock: Clock,
  ) {}

  add(key: string, amount: number, seconds: number): MaybeAsync<Count> {
    const isPersisted = seconds >= PERSISTED_SECONDS_MIN;
    if (!isPersisted || this.counters.has(key)) return this.addTo(key, amount, seconds, isPersisted);
    return this.loadCount(key).then(() => this.addTo(key, amount, seconds, isPersisted));
  }

  private addTo(key: string, amount: number, seconds: number, isPersisted: boolean): Count {
    const { sum, endsAt } = this.currentCount(key, seconds) ?? {
      sum: 0,
      endsAt: this.clock.now() + seconds * SECOND_MS,
    };
    const count = { sum: sum + amount, endsAt };
    this.counters.set(key, count);
    if (isPersisted) this.queueWrite(key, { sum: amount, endsAt });
    return count;
  }

  getCount(key: string, seconds: number): MaybeAsync<Count | undefined> {
    if (this.counters.has(key)) return this.currentCount(key, seconds);
    return this.loadCount(key).then(() => this.currentCount(key, seconds));
  }

  mark(key: string, forMs: number): boolean {
    const isMarked = this.isMarked(key);
    if (!isMarked) this.marks.set(key, this.clock.now() + forMs);
    return isMarked;
  }

  isMarked(key: string): boolean {
    return (this.marks.get(key) ?? 0) > this.clock.now();
  }

  unmark(key: string): void {
    this.marks.delete(key);
  }

  async flush(): Promise<void> {
    const writes = this.unwritten;
    this.unwritten = new Map();
    try {
      const now = this.clock.now();
      const all = [...writes].filter(([, { endsAt }]) => endsAt > now);
      await Promise.all(all.map(([key, { sum, endsAt }]) => this.coordination.add(key, sum, endsAt, now)));
    } catch (error) {
      for (const [key, count] of writes) this.queueWrite(key, count);
      throw error;
    }
  }

  private async loadCount(key: string): Promise<void> {
    const stored = await this.coordination.getCount(key, this.clock.now());
    if (!this.counters.has(key)) this.counters.set(key, stored ?? EMPTY_COUNT);
  }

  private currentCount(key: string, seconds: number): Count | undefined {
    const now = this.clock.now();
    const count = this.counters.get(key);
    if (!count || count.endsAt <= now) return undefined;
    const latest = now + seconds * SECOND_MS;
    if (count.endsAt <= latest) return count;
    const shortened = { sum: count.sum, endsAt: latest };
    this.counters.set(key, shortened);
    return shortened;
  }

  private queueWrite(key: string, { sum, endsAt }: Count): void {
    const pending = this.unwritten.get(key);
    const isSameWindow = pending?.endsAt === endsAt;
    this.unwritten.set(key, { sum: (isSameWindow ? pending.sum : 0) + sum, endsAt });
  }
}

const EMPTY_COUNT: Count = { sum: 0, endsAt: 0 };
