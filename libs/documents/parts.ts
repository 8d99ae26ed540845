import { crc32 } from 'node:zlib';
import type { Position } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';
import { liveId } from './build-name.js';
import type { Checkpoint } from './port.js';

/**
 * What a projection is kept in where a store is spread over processes: so many parts by a hash of its documents' ids,
 * each with a checkpoint and a lease of its own; one that is not split is its own only part.
 */
export function partsOf<D extends JsonObject>(projection: Projection<D>, count: number): readonly Projection<D>[] {
  if (!projection.isSplit || projection.part || count === 1) return [projection];
  const whole = projection as unknown as Projection;
  return Array.from({ length: count }, (_, number) => {
    const has = (id: string) => crc32(id) % count === number;
    return { ...made(projection, has), part: { whole, number, of: count, has } };
  });
}

/** What makes the documents of several parts of one projection. */
export function together(parts: readonly Projection[]): Projection {
  const [first] = parts as readonly [Projection];
  if (parts.length === 1) return first;
  const { whole, of } = first.part!;
  return parts.length === of ? whole : made(whole, id => parts.some(each => each.part!.has(id)));
}

/** What has a lease and a checkpoint: a projection or, where a store keeps it in several, a part of it. */
export interface Kept {
  readonly id: string;
  readonly projection: Projection;
}

export const keptAs = (projection: Projection): Kept => ({ id: liveId(projection), projection });

/** The parts of a projection together that stand at one position, by their ids: they are folded at once. */
export function standingTogether(all: readonly Kept[], at: ReadonlyMap<string, Position>): Iterable<readonly Kept[]> {
  const standing = new Map<string, Kept[]>();
  for (const kept of all) {
    const { id, projection } = kept;
    const where = projection.part ? `${projection.name}/${at.get(id)!}` : id;
    const others = standing.get(where);
    if (others) others.push(kept);
    else standing.set(where, [kept]);
  }
  return standing.values();
}

/** The same parts of all projections of a group, for each group and part. */
export function groupsInParts(groups: readonly (readonly Projection[])[], count: number): readonly Projection[][] {
  const numbers = Array.from({ length: count }, (_, number) => number);
  const inParts = groups.flatMap(group => {
    const all = group.map(each => partsOf(each, count));
    return numbers.map(number => all.flatMap(parts => parts[number] ?? []));
  });
  return inParts.filter(({ length }) => length > 0);
}

/** How far each projection is, of which every part is among the checkpoints. */
export function wholesOf(projections: readonly Projection[], checkpoints: readonly Checkpoint[]): Checkpoint[] {
  const parts = new Map<string, Checkpoint[]>(projections.map(each => [nameOf(each), []]));
  for (const each of checkpoints) parts.get(nameOf(each))?.push(each);
  return [...parts.values()].map(wholeOf);
}

/** The same of a projection and of each of its parts. */
const nameOf = ({ name, version }: Pick<Checkpoint, 'name' | 'version'>) => `${name}@${version}`;

/** As far as its parts are: where one of them was stopped, it was. */
function wholeOf(parts: readonly Checkpoint[]): Checkpoint {
  const [{ name, version }] = parts as readonly [Checkpoint];
  const stopped = parts.find(each => each.stopped !== null)?.stopped ?? null;
  const isFilling = parts.some(each => each.isFilling);
  return { name, version, position: leastOf(parts.map(({ position }) => position))!, stopped, isFilling };
}

export function leastOf(positions: readonly Position[]): Position | undefined {
  return positions.reduce<Position | undefined>((a, b) => (a === undefined || b < a ? b : a), undefined);
}

/** The same, of some documents only. */
const made = <D extends JsonObject>(projection: Projection<D>, has: (id: string) => boolean): Projection<D> => ({
  ...projection,
  keys: event => projection.keys(event).filter(has),
});
