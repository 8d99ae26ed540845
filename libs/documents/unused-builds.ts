import { formatFillLease, formatProjectionVersion, type ProjectionVersion } from './build-name.js';

/** End of a lease (unix ms), past or future; 0 if it was never held. */
export interface LeaseEnd {
  readonly name: string;
  readonly endsAt: number;
}

const findLastLeaseEnd = (leases: readonly LeaseEnd[], matches: (lease: string) => boolean) =>
  Math.max(0, ...leases.filter(({ name }) => matches(name)).map(({ endsAt }) => endsAt));

/** Whether a rebuild of the projection was begun and not continued since `before` (unix ms). */
export function isAbandoned(projection: ProjectionVersion, leases: readonly LeaseEnd[], before: number): boolean {
  const filledUntil = findLastLeaseEnd(leases, name => name === formatFillLease(projection));
  return filledUntil > 0 && filledUntil < before;
}

/**
 * Projections without a lease since `before` (unix ms), except the current ones. One that never had a lease belongs to
 * a newer process that waits for its projector.
 */
export function findUnused<L extends ProjectionVersion>(
  live: readonly L[],
  leases: readonly LeaseEnd[],
  current: readonly ProjectionVersion[],
  before: number,
): L[] {
  const currentIds = new Set(current.map(formatProjectionVersion));
  return live.filter(each => {
    const usedUntil = findLastLeaseEnd(leases, name => name === formatProjectionVersion(each));
    const filledUntil = findLastLeaseEnd(leases, name => name === formatFillLease(each));
    return (
      !currentIds.has(formatProjectionVersion(each)) && usedUntil > 0 && usedUntil < before && filledUntil < before
    );
  });
}
