import { type Clock, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { createLruCache } from '#libs/kernel/lru-cache.js';
import { Refusal } from '#libs/kernel/refusal.js';
import type { Count } from '#libs/platform/coordination/port.js';
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

  /** Takes a point or refuses with 429. `requestNames`: a request is counted once under all of its names. */
  takePoint(limit: Limit, subject: string, requestNames: readonly string[] = []): MaybeAsync<TakenPoint> {
    const key = keyOf(limit, subject);
    const marks = requestNames.map(name => `counted/${limit.name}/${name}`);
    return this.fullCounters.has(key) ? this.takePointIfFull(limit, key, marks) : this.add(limit, key, marks);
  }

  private async takePointIfFull(limit: Limit, key: string, marks: readonly string[]): Promise<TakenPoint> {
    const count = await this.counters.getCount(key, limit.seconds);
    const usage = count && { limit, ...count };
    if (!usage || !isFull(usage)) return this.add(limit, key, marks);
    const wasMarked = await allMaybeAsync(marks.map(mark => this.counters.isMarked(mark)));
    if (!wasMarked.includes(true)) throw this.refusal(usage);
    return { usage, refund: () => Promise.resolve(usage) };
  }

  private add(limit: Limit, key: string, marks: readonly string[]): MaybeAsync<TakenPoint> {
    const adding = this.counters.add(key, 1, limit.seconds);
    const marking = allMaybeAsync(marks.map(mark => this.counters.mark(mark, MARK_TTL_MS)));
    const onAdded = (count: Count) =>
      mapMaybeAsync(marking, wasMarked => this.resolvePoint({ limit, ...count }, key, marks, wasMarked));
    return mapMaybeAsync(adding, onAdded);
  }

  private resolvePoint(
    usage: LimitUsage,
    key: string,
    marks: readonly string[],
    wasMarked: readonly boolean[],
  ): MaybeAsync<TakenPoint> {
    const { limit, sum } = usage;
    const newMarks = marks.filter((_mark, index) => !wasMarked[index]);
    const point = this.pointOf(usage, key, newMarks);
    if (wasMarked.includes(true))
      return this.putBack(usage, key).then(remaining => this.pointTakenEarlier(remaining, newMarks));
    if (sum <= limit.points) return point;
    return point.refund().then(remaining => Promise.reject(this.refusal(remaining)));
  }

  async count(limit: Limit, subject: string): Promise<void> {
    await this.counters.add(keyOf(limit, subject), 1, limit.seconds);
  }

  /** Refuses with 429 if no point is left, without taking one. Undefined if nothing is counted. */
  check(limit: Limit, subject: string): MaybeAsync<LimitUsage | undefined> {
    return mapMaybeAsync(this.counters.getCount(keyOf(limit, subject), limit.seconds), count => {
      const usage = count && { limit, ...count };
      if (usage && isFull(usage)) throw this.refusal(usage);
      return usage;
    });
  }

  isCounting(limit: Limit, subject: string): MaybeAsync<boolean> {
    return mapMaybeAsync(this.counters.getCount(keyOf(limit, subject), limit.seconds), count => count !== undefined);
  }

  flush(): Promise<void> {
    return this.counters.flush();
  }

  private pointOf(usage: LimitUsage, key: string, marks: readonly string[]): TakenPoint {
    if (isFull(usage)) this.fullCounters.set(key, true);
    const refund = async () => {
      const [remaining] = await Promise.all([this.putBack(usage, key), this.unmark(marks)]);
      return remaining;
    };
    return { usage, refund };
  }

  /** The request was counted under another name. A refusal now must not let it pass later under this one. */
  private pointTakenEarlier(usage: LimitUsage, marks: readonly string[]): TakenPoint {
    const refund = async () => {
      await this.unmark(marks);
      return usage;
    };
    return { usage, refund };
  }

  /** A window that has ended needs no refund, which would count in the next one. */
  private async putBack(usage: LimitUsage, key: string): Promise<LimitUsage> {
    const { limit, sum, endsAt } = usage;
    if (this.clock.now() >= endsAt) return { ...usage, sum: sum - 1 };
    return { limit, ...(await this.counters.add(key, -1, limit.seconds)) };
  }

  private async unmark(marks: readonly string[]): Promise<void> {
    await allMaybeAsync(marks.map(mark => this.counters.unmark(mark)));
  }

  private refusal(usage: LimitUsage): LimitReached {
    return new LimitReached(usage, secondsUntilReset(usage, this.clock.now()));
  }
}

export class LimitReached extends Refusal {
  constructor(
    readonly usage: LimitUsage,
    retryAfter: number,
  ) {
    const { name, points, seconds } = usage.limit;
    super('rate_limited', `You reached the limit ${name}: at most ${points} in ${seconds} seconds.`, {
      retryAfter,
      more: { limit: name },
    });
  }
}

export const secondsUntilReset = ({ endsAt }: Count, now: number) => Math.max(1, Math.ceil((endsAt - now) / SECOND_MS));

const keyOf = ({ name }: Limit, subject: string) => `limit/${name}/${subject}`;
const isFull = ({ limit, sum }: LimitUsage) => sum >= limit.points;

/** `RateLimit-Policy` of draft-ietf-httpapi-ratelimit-headers. */
export const rateLimitPolicyHeader = (limits: readonly Limit[]): string => limits.map(policyOf).join(', ');

/** `RateLimit` of the same draft: remaining points and seconds. */
export const rateLimitHeader = (usages: readonly LimitUsage[], now: number): string =>
  usages.map(usage => itemOf(usage, now)).join(', ');

const policyOf = ({ name, points, seconds }: Limit) => `"${name}";q=${points};w=${seconds}`;

function itemOf(usage: LimitUsage, now: number): string {
  const { name, points } = usage.limit;
  return `"${name}";r=${Math.max(0, points - usage.sum)};t=${secondsUntilReset(usage, now)}`;
}
