import { NEW_IDENTITIES, NEW_IDENTITIES_OF_LOOPBACK } from './general-limits.js';
import { CONCURRENT, type Limit } from './limit.js';
import type { LimitRules } from './limit-rules.js';

/** Endpoints may share a limit, so equal declarations are allowed. */
function indexByName(declared: readonly Limit[]): Map<string, Limit> {
  const known = new Map<string, Limit>();
  for (const { name, points, seconds, per } of declared) {
    const { points: p = points, seconds: s = seconds, per: w = per } = known.get(name) ?? {};
    if (p !== points || s !== seconds || w !== per) throw new Error(`two limits are named "${name}".`);
    known.set(name, { name, points, seconds, per });
  }
  return known;
}

const kindSentence = ({ name, seconds }: Limit) =>
  seconds === CONCURRENT
    ? `"${name}" is how many there are at the same time: its seconds are 0.`
    : `"${name}" needs seconds from 1 on.`;

export class LimitTable {
  private readonly limits: ReadonlyMap<string, Limit>;
  private readonly loopback: Limit | null;
  readonly isEnforced: boolean;

  constructor(declared: readonly Limit[], { mode, overrides }: LimitRules) {
    const known = indexByName(declared);
    for (const [name, override] of Object.entries(overrides)) {
      const limit = known.get(name);
      if (!limit) throw new Error(`there is no limit "${name}". There are ${[...known.keys()].sort().join(', ')}.`);
      if ((limit.seconds === CONCURRENT) !== (override.seconds === CONCURRENT)) throw new Error(kindSentence(limit));
      known.set(name, { ...limit, ...override });
    }
    this.limits = known;
    this.isEnforced = mode !== 'off';
    const isOwn = Object.hasOwn(overrides, NEW_IDENTITIES.name);
    this.loopback = mode === 'dev' && !isOwn ? { ...NEW_IDENTITIES, points: NEW_IDENTITIES_OF_LOOPBACK } : null;
  }

  limitFor({ name }: Pick<Limit, 'name'>, isLoopback: boolean): Limit {
    if (isLoopback && this.loopback && name === NEW_IDENTITIES.name) return this.loopback;
    return this.limits.get(name)!;
  }

  /** Applies even if limits are off, because each concurrent request holds resources. */
  concurrencyMax({ name }: Pick<Limit, 'name'>): number {
    return this.limits.get(name)!.points;
  }

  limitsFor(isLoopback: boolean): Limit[] {
    return [...this.limits.values()].map(limit => this.limitFor(limit, isLoopback));
  }
}
