import { DAY_MS, MINUTE_MS } from '#libs/kernel/clock.js';
import type { Part, Projection } from '#libs/kernel/projection.js';

export const FIRST_BUILD = 'a';
/** How long a build is kept that another one has replaced: readers go over to it within a second. */
export const KEEP_REPLACED_MS = 10 * MINUTE_MS;
/** When a build was retired that is being dropped, in unix ms: the next sweep goes on with what is left of it. */
export const LONG_AGO = 1;
/** How long the builds of a version are kept that no process writes any more, so that who goes back to it finds them. */
export const KEEP_UNUSED_MS = 1 * DAY_MS;
const LAST_LETTER = 'z';
const PROJECTION = /^[a-z][a-z0-9_-]*$/;

/** In front of the number of a part, and the character behind it: between the two stand all parts of a build. */
const [PART_MARK, BEHIND_PARTS] = ['#', '$'];

/** A projection or, where it is kept in parts, any of them: what is said of the whole, each of them says. */
export interface Named extends Pick<Projection, 'name' | 'version'> {
  readonly part?: Pick<Part, 'number' | 'of'> | undefined;
}

/** What readers use of a projection: documents in another number of parts are others, and filled anew. */
export const wholeId = ({ name, version, part }: Named) => `${name}@${version}${part ? `/${part.of}` : ''}`;

/** What has this `wholeId`; where it has several parts, the first of them. */
export function namedBy(whole: string): Named {
  const [, name, version, of] = /^(.+)@(\d+)(?:\/(\d+))?$/.exec(whole)!;
  return { name: name!, version: Number(version), ...(of && { part: { number: 0, of: Number(of) } }) };
}

/** What the lease of a projection is called, or of a part of it: `muses@5`, `muses@5/4#0`. */
export const liveId = (projection: Named) => checkpointName(wholeId(projection), projection);

/** What the checkpoint of a build is called, or of a part of it. */
export const checkpointName = (build: string, { part }: Pick<Named, 'part'>) =>
  part ? `${build}${PART_MARK}${part.number}` : build;

/** A projection that is not split, or all the parts of which one is given. */
export function everyPart({ name, version, part }: Named): Named[] {
  if (!part) return [{ name, version }];
  const { of } = part;
  return Array.from({ length: of }, (_, number) => ({ name, version, part: { number, of } }));
}

/** What the checkpoints of a build are called, one for each part. */
export const checkpointNames = (build: string, projection: Named): string[] =>
  everyPart(projection).map(part => checkpointName(build, part));

/** Between which two, in the order of texts, those of any parts stand. */
export const partNames = (build: string) => [build + PART_MARK, build + BEHIND_PARTS] as const;

/** The build whose checkpoint is called this, or whose part's. */
export const buildOf = (checkpoint: string) => checkpoint.split(PART_MARK)[0]!;

/** The lease under which a build beside the live one is filled. */
export const fillId = ({ name, version }: Named) => `fill ${name}@${version}`;

/** What the names of a projection's builds begin with. */
export const buildPrefix = (projection: Named) => `${wholeId(projection)}-`;

/** The name of a build, which is its table's. Names come from code, never from a request, and are checked still. */
export function buildName(projection: Named, build: string): string {
  const { name, version } = projection;
  if (!PROJECTION.test(name) || !Number.isInteger(version)) throw new Error(`${name}@${version} names no projection.`);
  return buildPrefix(projection) + build;
}

/** The name behind all that are there: `a` to `z`, then `za` and on. A name is not used again while it is known. */
export function nextBuildName(projection: Named, names: readonly string[]): string {
  const letters = names.map(name => name.slice(buildPrefix(projection).length)).sort(byAge);
  return buildName(projection, letters.length === 0 ? FIRST_BUILD : behind(letters.at(-1)!));
}

const byAge = (a: string, b: string) => a.length - b.length || (a < b ? -1 : 1);

function behind(letters: string): string {
  const last = letters.at(-1)!;
  if (last === LAST_LETTER) return letters + FIRST_BUILD;
  return letters.slice(0, -1) + String.fromCharCode(last.charCodeAt(0) + 1);
}
