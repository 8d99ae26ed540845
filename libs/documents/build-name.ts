import { DAY_MS, MINUTE_MS } from '#libs/kernel/clock.js';
import type { Projection } from '#libs/kernel/projection.js';

const FIRST_BUILD = 'a';
/** Retention of a replaced build. Readers switch to the new one within a second. */
export const REPLACED_BUILD_RETENTION_MS = 10 * MINUTE_MS;
/** Retirement time (unix ms) of a build whose removal has begun: the next sweep resumes it. */
export const LONG_AGO = 1;
export const UNUSED_BUILD_RETENTION_MS = 1 * DAY_MS;
const LAST_LETTER = 'z';
const PROJECTION = /^[a-z][a-z0-9_-]*$/;

export type ProjectionVersion = Pick<Projection, 'name' | 'version'>;

export const formatProjectionVersion = ({ name, version }: ProjectionVersion) => `${name}@${version}`;

export function parseProjectionVersion(id: string): ProjectionVersion {
  const at = id.lastIndexOf('@');
  return { name: id.slice(0, at), version: Number(id.slice(at + 1)) };
}

const PROJECTOR_LEASE = 'projector';

/** Names all projections, so that it says which versions are in use. */
export const formatProjectorLease = (projections: readonly ProjectionVersion[]) =>
  [PROJECTOR_LEASE, ...projections.map(formatProjectionVersion).sort()].join(' ');

export function isProjectorLease(lease: string, projection: ProjectionVersion): boolean {
  const [kind, ...ids] = lease.split(' ');
  return kind === PROJECTOR_LEASE && ids.includes(formatProjectionVersion(projection));
}

export const formatFillLease = ({ name, version }: ProjectionVersion) => `fill ${name}@${version}`;

export const buildPrefix = (projection: ProjectionVersion) => `${formatProjectionVersion(projection)}-`;

/** Checked although names come from code only: they become parts of SQL. */
export function buildName(projection: ProjectionVersion, build: string): string {
  const { name, version } = projection;
  if (!PROJECTION.test(name) || !Number.isInteger(version))
    throw new Error(`${name}@${version} is not a valid projection name and version.`);
  return buildPrefix(projection) + build;
}

/** `a` to `z`, then `za` and so on. A name in use is never chosen again. */
export function nextBuildName(projection: ProjectionVersion, names: readonly string[]): string {
  const letters = names.map(name => name.slice(buildPrefix(projection).length)).sort(byAge);
  return buildName(projection, letters.length === 0 ? FIRST_BUILD : incrementLetters(letters.at(-1)!));
}

const byAge = (a: string, b: string) => a.length - b.length || (a < b ? -1 : 1);

function incrementLetters(letters: string): string {
  const last = letters.at(-1)!;
  if (last === LAST_LETTER) return letters + FIRST_BUILD;
  return letters.slice(0, -1) + String.fromCharCode(last.charCodeAt(0) + 1);
}

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
    const usedUntil = findLastLeaseEnd(leases, name => isProjectorLease(name, each));
    const filledUntil = findLastLeaseEnd(leases, name => name === formatFillLease(each));
    return (
      !currentIds.has(formatProjectionVersion(each)) && usedUntil > 0 && usedUntil < before && filledUntil < before
    );
  });
}
