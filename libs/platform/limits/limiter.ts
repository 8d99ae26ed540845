import { createLruCache } from '#libs/kernel/lru-cache.js';
import type { Count } from '#libs/platform/coordination/port.js';
import { type Clock, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { Refusal } from '#libs/kernel/refusal.js';
import type { Counters } from './counters.js';
import type { Limit } from './limit.js';
import { allMaybeAsync, type MaybeAsync, mapMaybeAsync } from './maybe-async.js';

const MARK_TTL_MS = 11 * MINUTE_MS;
const FULL_MAX = 20_000;

export interface LimitUsage extends Count {
  readonly limit: Limit;
}

export interface TakenPoint {
  readonly usage: LimitUsage;
  refund(): Promise<LimitUsage>;
}

/** Takes points of limits. A refusal writes nothing if the counter is known to be full, so that a flood stays cheap. */
export class Limiter {
  private readonly fullCounters = createLruCache<string, true>(FULL_MAX);

  constructor(
    private readonly counters: Counters,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes a point or refuses with 429. `once` are names of the request: a request is counted once under all its names.
   */
  takePoint(limit: Limit, who: string, once: readonly string[] = []): MaybeAsync<TakenPoint> {
    const key = keyOf(limit, who);
    const marks = once.map(name => `counted/${limit.name}/${name}`);
    return this.fullCounters.has(key) ? this.takePointIfFull(limit, key, marks) : this.add(limit, key, marks);
  }

  private async takePointIfFull(limit: Limit, key: string, marks: readonly string[]): Promise<TakenPoint> {
    const count = await this.counters.getCount(key, limit.seconds);
    const standing = count && { limit, ...count };
    if (!standing || !isFull(standing)) return this.add(limit, key, marks);
    const known = await allMaybeAsync(marks.map(mark => this.counters.isMarked(mark)));
    if (!known.includes(true)) throw this.refusal(standing);
    return { usage: standing, refund: () => Promise.resolve(standing) };
  }

  private add(limit: Limit, key: string, marks: readonly string[]): MaybeAsync<TakenPoint> {
    const adding = this.counters.add(key, 1, limit.seconds);
    const marking = allMaybeAsync(marks.map(mark => this.counters.mark(mark, MARK_TTL_MS)));
    const added = (count: Count) =>
      mapMaybeAsync(marking, known => this.resolvePoint({ limit, ...count }, key, marks, known));
    return mapMaybeAsync(adding, added);
  }

  private resolvePoint(
    standing: LimitUsage,
    key: string,
    marks: readonly string[],
    known: readonly boolean[],
  ): MaybeAsync<TakenPoint> {
    const { limit, sum } = standing;
    const own = marks.filter((_mark, at) => !known[at]);
    const taken = this.pointOf(standing, key, own);
    if (known.includes(true)) return this.putBack(standing, key).then(left => this.pointTakenEarlier(left, own));
    if (sum <= limit.points) return taken;
    return taken.refund().then(left => Promise.reject(this.refusal(left)));
  }

  async count(limit: Limit, who: string): Promise<void> {
    await this.counters.add(keyOf(limit, who), 1, limit.seconds);
  }

  /** Refuses with 429 if no point is left, without taking one. Undefined if nothing is counted. */
  check(limit: Limit, who: string): MaybeAsync<LimitUsage | undefined> {
    return mapMaybeAsync(this.counters.getCount(keyOf(limit, who), limit.seconds), count => {
      const standing = count && { limit, ...count };
      if (standing && isFull(standing)) throw this.refusal(standing);
      return standing;
    });
  }

  isCounting(limit: Limit, who: string): MaybeAsync<boolean> {
    return mapMaybeAsync(this.counters.getCount(keyOf(limit, who), limit.seconds), count => count !== undefined);
  }

  flush(): Promise<void> {
    return this.counters.flush();
  }

  private pointOf(standing: LimitUsage, key: string, marks: readonly string[]): TakenPoint {
    if (isFull(standing)) this.fullCounters.set(key, true);
    const giveBack = async () => {
      const [left] = await Promise.all([this.putBack(standing, key), this.unmark(marks)]);
      return left;
    };
    return { usage: standing, refund: giveBack };
  }

  /** The request was counted under another name. A refusal now must not let it pass later under this one. */
  private pointTakenEarlier(standing: LimitUsage, marks: readonly string[]): TakenPoint {
    const giveBack = async () => {
      await this.unmark(marks);
      return standing;
    };
    return { usage: standing, refund: giveBack };
  }

  /** A window that has ended needs no refund, which would count in the next one. */
  private async putBack(standing: LimitUsage, key: string): Promise<LimitUsage> {
    const { limit, sum, endsAt } = standing;
    if (this.clock.now() >= endsAt) return { ...standing, sum: sum - 1 };
    return { limit, ...(await this.counters.add(key, -1, limit.seconds)) };
  }

  private async unmark(marks: readonly string[]): Promise<void> {
    await allMaybeAsync(marks.map(mark => this.counters.unmark(mark)));
  }

  private refusal(standing: LimitUsage): LimitReached {
    return new LimitReached(standing, secondsUntilReset(standing, this.clock.now()));
  }
}

export class LimitReached extends Refusal {
  constructor(
    readonly usage: LimitUsage,
    retryAfter: number,
  ) {
    const { name, points, seconds } = usage.limit;
    super('rate_limited', `At most ${points} in ${seconds} seconds (${name}).`, { retryAfter, more: { limit: name } });
  }
}

export const secondsUntilReset = ({ endsAt }: Count, now: number) => Math.max(1, Math.ceil((endsAt - now) / SECOND_MS));

const keyOf = ({ name }: Limit, who: string) => `limit/${name}/${who}`;
const isFull = ({ limit, sum }: LimitUsage) => sum >= limit.points;
