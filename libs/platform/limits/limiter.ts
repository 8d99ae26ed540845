import { bounded } from '#libs/kernel/bounded.js';
import type { Count } from '#libs/platform/coordination/port.js';
import { type Clock, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { Refusal } from '#libs/kernel/refusal.js';
import type { Counters } from './counters.js';
import type { Limit } from './limit.js';
import { allSoon, type Soon, soon } from './soon.js';

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
  private readonly full = bounded<string, true>(FULL_MAX);

  constructor(
    private readonly counters: Counters,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes a point, or refuses with 429. `once` are names of the request: one that has any of them takes nothing again,
   * and is let pass where that was let pass before.
   */
  take(limit: Limit, who: string, once: readonly string[] = []): Soon<Taken> {
    const key = keyOf(limit, who);
    const marks = once.map(name => `counted/${limit.name}/${name}`);
    return this.full.has(key) ? this.takeLast(limit, key, marks) : this.add(limit, key, marks);
  }

  /** Where no point was left a moment ago. */
  private async takeLast(limit: Limit, key: string, marks: readonly string[]): Promise<Taken> {
    const count = await this.counters.counted(key, limit.seconds);
    const standing = count && { limit, ...count };
    if (!standing || !isFull(standing)) return this.add(limit, key, marks);
    const known = await allSoon(marks.map(mark => this.counters.isMarked(mark)));
    if (!known.includes(true)) throw this.refusal(standing);
    return { standing, giveBack: () => Promise.resolve(standing) };
  }

  private add(limit: Limit, key: string, marks: readonly string[]): Soon<Taken> {
    const adding = this.counters.add(key, 1, limit.seconds);
    const marking = allSoon(marks.map(mark => this.counters.mark(mark, COUNTED_ONCE_MS)));
    const added = (count: Count) => soon(marking, known => this.added({ limit, ...count }, key, marks, known));
    return soon(adding, added);
  }

  /** `known`: which of the request's marks were there before. */
  private added(standing: Standing, key: string, marks: readonly string[], known: readonly boolean[]): Soon<Taken> {
    const { limit, sum } = standing;
    const own = marks.filter((_mark, at) => !known[at]);
    const taken = this.taken(standing, key, own);
    if (known.includes(true)) return this.putBack(standing, key).then(left => this.takenBefore(left, own));
    if (sum <= limit.points) return taken;
    return taken.giveBack().then(left => Promise.reject(this.refusal(left)));
  }

  /** Counts without refusing. */
  async count(limit: Limit, who: string): Promise<void> {
    await this.counters.add(keyOf(limit, who), 1, limit.seconds);
  }

  /** Refuses with 429 where no point is left; takes none. Answers how the limit stands, where anything was counted. */
  check(limit: Limit, who: string): Soon<Standing | undefined> {
    return soon(this.counters.counted(keyOf(limit, who), limit.seconds), count => {
      const standing = count && { limit, ...count };
      if (standing && isFull(standing)) throw this.refusal(standing);
      return standing;
    });
  }

  /** Whether anything is counted for somebody at the moment. */
  isCounting(limit: Limit, who: string): Soon<boolean> {
    return soon(this.counters.counted(keyOf(limit, who), limit.seconds), count => count !== undefined);
  }

  flush(): Promise<void> {
    return this.counters.flush();
  }

  private taken(standing: Standing, key: string, marks: readonly string[]): Taken {
    if (isFull(standing)) this.full.set(key, true);
    const giveBack = async () => {
      const [left] = await Promise.all([this.putBack(standing, key), this.unmark(marks)]);
      return left;
    };
    return { standing, giveBack };
  }

  /** The request was counted under another of its names. If it is refused now, this one must not let it pass later. */
  private takenBefore(standing: Standing, marks: readonly string[]): Taken {
    const giveBack = async () => {
      await this.unmark(marks);
      return standing;
    };
    return { standing, giveBack };
  }

  /** A window that has ended needs nothing back, and what was added now would stand in the next one. */
  private async putBack(standing: Standing, key: string): Promise<Standing> {
    const { limit, sum, endsAt } = standing;
    if (this.clock.now() >= endsAt) return { ...standing, sum: sum - 1 };
    return { limit, ...(await this.counters.add(key, -1, limit.seconds)) };
  }

  private async unmark(marks: readonly string[]): Promise<void> {
    await allSoon(marks.map(mark => this.counters.unmark(mark)));
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
