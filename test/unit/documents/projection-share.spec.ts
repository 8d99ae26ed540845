import { expect, test } from '@jest/globals';
import type { Projector } from '#libs/documents/projector.js';
import { assignGroups, ProjectionShare } from '#libs/documents/projection-share.js';
import type { Projection } from '#libs/kernel/projection.js';
import { PROJECTION_GROUPS } from '#libs/features/projections.js';
import { MemoryCoordination } from '../../doubles/memory-coordination.js';
import { benches, type Counted, seen } from './bench.js';

const NAMES = ['one', 'two', 'three'];
const bench = benches();

/** Processes that share projections, and the process that folded each event. */
function processes() {
  const stores = bench();
  const coordination = new MemoryCoordination();
  const folded: { readonly name: string; readonly by: string }[] = [];
  const models = stores.models(NAMES.map(name => seen(name)) as never);
  const watched = (by: string, version: number) => (projection: Projection<Counted>) => ({
    ...projection,
    version,
    evolve: (...given: Parameters<typeof projection.evolve>) => {
      folded.push({ name: projection.name, by });
      return projection.evolve(...given);
    },
  });
  const start = (me: string, version = 1): Promise<Projector> => {
    const own = NAMES.map(name => seen(name)).map(watched(me, version));
    const groups = own.map(each => [each as unknown as Projection]);
    const share = new ProjectionShare({ coordination, clock: stores.clock, groups, me });
    const read = { moved: () => undefined, stop: () => undefined, onWait: () => undefined };
    return stores.projector(own, { models: read, share, holder: me });
  };
  /** Processes that fold the next event, for each projection. */
  const by = async (word: string): Promise<string[]> => {
    folded.splice(0);
    await stores.say(word);
    await models.open();
    expect(await models.waitForHead()).toBe(true);
    return NAMES.map(name =>
      folded
        .filter(each => each.name === name)
        .map(each => each.by)
        .join(),
    );
  };
  return { start, by, models };
}

test('a process of another version fills and folds all projections alone', async () => {
  const { start, by, models } = processes();
  await start('old');
  await by('word');
  await start('new', 2);
  for (const both of await by('word')) expect(both.split(',').sort()).toEqual(['new', 'old']);
  expect((await models.of(seen('one')).get('all'))!.body.seen).toEqual(['word', 'word']);
});

test.each([1, 2, 3, 5, 16])('distributes all groups evenly among %i processes', count => {
  const members = Array.from({ length: count }, (_, at) => `process-${at}`);
  const shares = members.map(me => assignGroups(me, members, PROJECTION_GROUPS));
  expect(new Set(shares.flat())).toEqual(new Set(PROJECTION_GROUPS));
  expect(shares.flat()).toHaveLength(PROJECTION_GROUPS.length);
  const sizes = shares.map(({ length }) => length);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
});

test('gives no group to a process that is not a member', () => {
  expect(assignGroups('late', ['a', 'b'], PROJECTION_GROUPS)).toEqual([]);
});
