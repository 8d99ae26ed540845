import { formatFillLease, formatProjectionVersion, type ProjectionVersion } from './build-name.js';

/** Until when (unix ms) somebody has or had a lease; 0 where nobody ever had it. */
export interface LeaseEnd {
  readonly name: string;
  readonly endsAt: number;
}

const findLastLeaseEnd = (leases: readonly LeaseEnd[], isMeant: (lease: string) => boolean) =>
  Math.max(0, ...leases.filter(({ name }) => isMeant(name)).map(({ endsAt }) => endsAt));

/** Whether nobody has gone on since `before` (unix ms) with what a rebuild had begun to fill of a projection. */
export function isAbandoned(named: ProjectionVersion, leases: readonly LeaseEnd[], before: number): boolean {
  const filledUntil = findLastLeaseEnd(leases, name => name === formatFillLease(named));
  return filledUntil > 0 && filledUntil < before;
}

/**
 * Of the projections that have a live build those that no process has kept or filled since `before` (unix ms), and that
 * are none of `than`. One that nobody has kept yet is a newer process's, which waits for its projector.
 */
export function findUnused<L extends ProjectionVersion>(
  live: readonly L[],
  leases: readonly LeaseEnd[],
  than: readonly ProjectionVersion[],
  before: number,
): L[] {
  const own = new Set(than.map(formatProjectionVersion));
  return live.filter(each => {
    const keptUntil = findLastLeaseEnd(leases, name => name === formatProjectionVersion(each));
    const filledUntil = findLastLeaseEnd(leases, name => name === formatFillLease(each));
    return !own.has(formatProjectionVersion(each)) && keptUntil > 0 && keptUntil < before && filledUntil < before;
  });
}
