import { DAY_MS, MINUTE_MS } from '#libs/kernel/clock.js';
import type { Projection } from '#libs/kernel/projection.js';

export const FIRST_BUILD = 'a';
/** How long a build is kept that another one has replaced: readers go over to it within a second. */
export const REPLACED_BUILD_RETENTION_MS = 10 * MINUTE_MS;
/** When a build was retired that is being dropped, in unix ms: the next sweep goes on with what is left of it. */
export const LONG_AGO = 1;
/** How long the builds of a version are kept that no process writes any more, so that who goes back to it finds them. */
export const UNUSED_BUILD_RETENTION_MS = 1 * DAY_MS;
const LAST_LETTER = 'z';
const PROJECTION = /^[a-z][a-z0-9_-]*$/;

/** A projection in one of its versions. */
export type ProjectionVersion = Pick<Projection, 'name' | 'version'>;

/** Name of a projection's lease and of its live build's pointer: `muses@5`. */
export const formatProjectionVersion = ({ name, version }: ProjectionVersion) => `${name}@${version}`;

/** Reverses `liveId`. */
export function parseProjectionVersion(id: string): ProjectionVersion {
  const at = id.lastIndexOf('@');
  return { name: id.slice(0, at), version: Number(id.slice(at + 1)) };
}

/** The lease under which a build beside the live one is filled. */
export const formatFillLease = ({ name, version }: ProjectionVersion) => `fill ${name}@${version}`;

/** What the names of a projection's builds begin with. */
export const buildPrefix = (projection: ProjectionVersion) => `${formatProjectionVersion(projection)}-`;

/** The name of a build, which is its table's. Names come from code, never from a request, and are checked still. */
export function buildName(projection: ProjectionVersion, build: string): string {
  const { name, version } = projection;
  if (!PROJECTION.test(name) || !Number.isInteger(version)) throw new Error(`${name}@${version} names no projection.`);
  return buildPrefix(projection) + build;
}

/** The name behind all that are there: `a` to `z`, then `za` and on. A name is not used again while it is known. */
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
