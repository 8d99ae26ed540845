import { buildOf, fillId, type Named, wholeId } from './build-name.js';

/** Until when (unix ms) somebody has or had a lease; 0 where nobody ever had it. */
export interface LeaseEnd {
  readonly name: string;
  readonly endsAt: number;
}

/**
 * Of the projections that have a live build those that no process has kept or filled since `before` (unix ms), and that
 * are none of `than`. One that nobody has kept yet is a newer process's, which waits for its projector.
 */
export function unusedOf<L extends Named>(
  live: readonly L[],
  leases: readonly LeaseEnd[],
  than: readonly Named[],
  before: number,
): L[] {
  const own = new Set(than.map(wholeId));
  const lastOf = (isMeant: (lease: string) => boolean) =>
    Math.max(0, ...leases.filter(({ name }) => isMeant(name)).map(({ endsAt }) => endsAt));
  return live.filter(each => {
    const keptUntil = lastOf(name => buildOf(name) === wholeId(each));
    const filledUntil = lastOf(name => name === fillId(each));
    return !own.has(wholeId(each)) && keptUntil > 0 && keptUntil < before && filledUntil < before;
  });
}
