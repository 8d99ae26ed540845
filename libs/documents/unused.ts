import { fillId, liveId, type Named } from './build-name.js';

/** Until when (unix ms) somebody has or had a lease; 0 where nobody ever had it. */
export interface LeaseEnd {
  readonly name: string;
  readonly endsAt: number;
}

const lastOf = (leases: readonly LeaseEnd[], isMeant: (lease: string) => boolean) =>
  Math.max(0, ...leases.filter(({ name }) => isMeant(name)).map(({ endsAt }) => endsAt));

/** Whether nobody has gone on since `before` (unix ms) with what a rebuild had begun to fill of a projection. */
export function isAbandoned(named: Named, leases: readonly LeaseEnd[], before: number): boolean {
  const filledUntil = lastOf(leases, name => name === fillId(named));
  return filledUntil > 0 && filledUntil < before;
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
  const own = new Set(than.map(liveId));
  return live.filter(each => {
    const keptUntil = lastOf(leases, name => name === liveId(each));
    const filledUntil = lastOf(leases, name => name === fillId(each));
    return !own.has(liveId(each)) && keptUntil > 0 && keptUntil < before && filledUntil < before;
  });
}
