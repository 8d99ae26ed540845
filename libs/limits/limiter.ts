import { LRUCache } from 'lru-cache';
import type { Count } from '#libs/coordination/port.js';
import { type Clock, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { Refusal } from '#libs/kernel/refusal.js';
import type { Counters } from './counters.js';
import type { Limit } from './limit.js';

/** How long it is remembered that a request was counted: longer than its timestamp is taken. */
const COUNTED_ONCE_MS = 11 * MINUTE_MS;
/** Of how many full counters one process knows. */
const FULL_MAX = 20_000;

/** How far a limit is used up. */
export interface Standing extends Count {
  readonly limit: Limit;
}

/** A point that was taken. */
export interface Taken {
  readonly standing: Standing;
  /** Puts it back: what it was taken for was not carried out. */
  giveBack(): Promise<Standing>;
}

/**
 * Counts against limits. What is refused leaves no trace in a counter: where one is known to be full nothing is
 * written at all, so that a flood costs a look.
 */
export class Limiter {
  private readonly full = new LRUCache<string, true>({ max: FULL_MAX });

  constructor(
    private readonly counters: Counters,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes a point, or refuses with 429. `once` names the request: the same one again takes nothing, and is let pass
   * where it was let pass before.
   */
  async take(limit: Limit, who: string, once?: string): Promise<Taken> {
    const key = keyOf(limit, who);
    const mark = once === undefined ? undefined : `counted/${limit.name}/${once}`;
    const standing = this.full.has(key) ? await this.standing(limit, who) : undefined;
    if (standing && isFull(standing)) {
      if (mark === undefined || !(await this.counters.isMarked(mark))) throw this.refusal(standing);
      return nothingTaken(standing);
    }
    const [count, isCounted] = await Promise.all([
      this.counters.add(key, 1, limit.seconds),
      mark !== undefined && this.counters.mark(mark, COUNTED_ONCE_MS),
    ]);
    const taken = this.taken({ limit, ...count }, key, isCounted ? undefined : mark);
    if (isCounted) return nothingTaken(await taken.giveBack());
    if (count.sum <= limit.points) return taken;
    throw this.refusal(await taken.giveBack());
  }

  /** Counts without refusing. */
  async count(limit: Limit, who: string): Promise<void> {
    await this.counters.add(keyOf(limit, who), 1, limit.seconds);
  }

  /** Refuses with 429 where no point is left; takes none. Answers how the limit stands, where anything was counted. */
  async check(limit: Limit, who: string): Promise<Standing | undefined> {
    const standing = await this.standing(limit, who);
    if (standing && isFull(standing)) throw this.refusal(standing);
    return standing;
  }

  /** Whether anything is counted for somebody at the moment. */
  async isCounting(limit: Limit, who: string): Promise<boolean> {
    return (await this.counters.counted(keyOf(limit, who))) !== undefined;
  }

  flush(): Promise<void> {
    return this.counters.flush();
  }

  private async standing(limit: Limit, who: string): Promise<Standing | undefined> {
    const count = await this.counters.counted(keyOf(limit, who));
    return count && { limit, ...count };
  }

  private taken(standing: Standing, key: string, mark: string | undefined): Taken {
    const { limit, endsAt } = standing;
    if (isFull(standing)) this.full.set(key, true);
    const giveBack = async () => {
      // A window that has ended needs nothing back, and what was added now would stand in the next one.
      if (this.clock.now() >= endsAt) return { ...standing, sum: standing.sum - 1 };
      const [count] = await Promise.all([
        this.counters.add(key, -1, limit.seconds),
        mark !== undefined && this.counters.unmark(mark),
      ]);
      return { limit, ...count };
    };
    return { standing, giveBack };
  }

  private refusal(standing: Standing): LimitReached {
    return new LimitReached(standing, secondsLeft(standing, this.clock.now()));
  }
}

/** The 429 of a limit, which it names. */
export class LimitReached extends Refusal {
  constructor(
    readonly standing: Standing,
    retryAfter: number,
  ) {
    const { name, points, seconds } = standing.limit;
    super('rate_limited', `At most ${points} in ${seconds} seconds (${name}).`, { retryAfter, more: { limit: name } });
  }
}

/** How long until a limit begins anew. */
export const secondsLeft = ({ endsAt }: Count, now: number) => Math.max(1, Math.ceil((endsAt - now) / SECOND_MS));

const keyOf = ({ name }: Limit, who: string) => `limit/${name}/${who}`;
const isFull = ({ limit, sum }: Standing) => sum >= limit.points;
const nothingTaken = (standing: Standing): Taken => ({ standing, giveBack: () => Promise.resolve(standing) });
