import { NEW_IDENTITIES, NEW_IDENTITIES_OF_LOOPBACK } from './general-limits.js';
import { CONCURRENT, type Limit } from './limit.js';
import type { LimitRules } from './limit-rules.js';

/** Endpoints may share a limit, so equal declarations are allowed. */
function indexByName(declared: readonly Limit[]): Map<string, Limit> {
  const limits = new Map<string, Limit>();
  for (const { name, points, seconds, per } of declared) {
    const other = limits.get(name) ?? { points, seconds, per };
    if (other.points !== points || other.seconds !== seconds || other.per !== per)
      throw new Error(`two limits are named "${name}".`);
    limits.set(name, { name, points, seconds, per });
  }
  return limits;
}

const describeKind = ({ name, seconds }: Limit) =>
  seconds === CONCURRENT
    ? `"${name}" limits concurrent requests: set seconds to 0.`
    : `"${name}" has a window: set seconds to at least 1.`;

export class LimitTable {
  private readonly limits: ReadonlyMap<string, Limit>;
  private readonly loopback: Limit | null;
  readonly isEnforced: boolean;

  constructor(declared: readonly Limit[], { mode, overrides }: LimitRules) {
    const limits = indexByName(declared);
    for (const [name, override] of Object.entries(overrides)) {
      const limit = limits.get(name);
      if (!limit)
        throw new Error(`the limit "${name}" does not exist. Limits: ${[...limits.keys()].sort().join(', ')}.`);
      if ((limit.seconds === CONCURRENT) !== (override.seconds === CONCURRENT)) throw new Error(describeKind(limit));
      limits.set(name, { ...limit, ...override });
    }
    this.limits = limits;
    this.isEnforced = mode !== 'off';
    const isOverridden = Object.hasOwn(overrides, NEW_IDENTITIES.name);
    this.loopback = mode === 'dev' && !isOverridden ? { ...NEW_IDENTITIES, points: NEW_IDENTITIES_OF_LOOPBACK } : null;
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
