import { expect, test } from '@jest/globals';
import { Rebuild, type RebuildOptions, type RebuildReport } from '#libs/documents/rebuild/rebuild.js';
import type { NewBuild } from '#libs/documents/builds.port.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { LOG_START } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';
import { benches, type Counted, type DocumentsBench, seen, until } from './bench.js';

const bench = benches();
const NEVER_MS = 60 * MINUTE_MS;
const words = (count: number) => Array.from({ length: count }, (_, n) => `word-${n}`);
/** One document per claim. */
const each = (name: string, poison?: string): Projection<Counted> => ({
  ...seen(name, poison),
  keys: event => [(event.data as { claim: string }).claim],
});

function rebuild(
  { journal, store, clock }: DocumentsBench,
  projections: readonly Projection<Counted>[],
  options: Partial<RebuildOptions> = {},
): Promise<RebuildReport> {
  const parts = { journal, store, clock, projections: projections as unknown as Projection[] };
  return new Rebuild(parts, { dryRun: false, ...options }).run();
}

async function standing(...projections: Projection<Counted>[]) {
  const stores = bench();
  const models = await stores.project(projections);
  await stores.say(...words(30));
  await until(() => models.waitForHead());
  return { stores, models };
}

/** Changes a document of the live build without the projector. */
async function tamper(stores: DocumentsBench, name: string, id: string, body: Counted): Promise<void> {
  const [checkpoint] = (await stores.store.checkpoints()).filter(each => each.name === name);
  const { position } = checkpoint!;
  const lease = (await stores.store.lease('tamper', 'test', NEVER_MS, stores.clock.now()))!;
  const documents = [{ id, position, body }];
  await stores.store.commit([{ projection: { name, version: 1 }, documents, from: position, to: position }], lease);
}

const same = { only_in_live: 0, only_in_new: 0, different: 0, differences: [] };

test('rebuilds several equal projections, and the projector uses the new builds', async () => {
  const [all, one] = [seen('all'), each('one')];
  const { stores, models } = await standing(all, one);
  const report = await rebuild(stores, [all, one]);
  expect(report).toMatchObject({
    dry_run: false,
    events: 30,
    projections: [
      {
        name: 'all',
        build: 'all@1-b',
        switched: true,
        failed: null,
        resumed_from: null,
        parity: { compared: 1, ...same },
      },
      {
        name: 'one',
        build: 'one@1-b',
        switched: true,
        failed: null,
        resumed_from: null,
        parity: { compared: 30, ...same },
      },
    ],
  });
  await stores.say('behind it');
  await until(() => models.waitForHead());
  expect((await models.of(all).get('all'))?.body.seen).toEqual([...words(30), 'behind it']);
  expect((await models.of(one).scan(100)).length).toBe(31);
  expect(stores.errors).toEqual([]);
});

test('a rebuild includes events written while it runs, and readers never go back', async () => {
  const all = seen('all');
  const { stores, models } = await standing(all);
  let count = 0;
  const saying = (async () => {
    for (let n = 0; n < 200; n += 1) {
      await stores.say(`later-${n}`);
      const { length } = (await models.of(all).get('all'))!.body.seen;
      expect(length).toBeGreaterThanOrEqual(count);
      count = length;
    }
  })();
  const reports = [await rebuild(stores, [all]), await rebuild(stores, [all])];
  await saying;
  expect(reports.map(({ projections }) => projections[0])).toMatchObject(
    ['all@1-b', 'all@1-c'].map(build => ({ build, switched: true, parity: same })),
  );
  await until(() => models.waitForHead());
  expect((await models.of(all).get('all'))?.body.seen).toHaveLength(230);
});

test('reports each differing document and field, and the new build is right', async () => {
  const one = each('one');
  const { stores, models } = await standing(one);
  await tamper(stores, 'one', 'word-3', { seen: ['word-4'] });
  await tamper(stores, 'one', 'nobody', { seen: [] });
  const [report] = (await rebuild(stores, [one])).projections;
  expect(report!.parity).toEqual({
    compared: 31,
    only_in_live: 1,
    only_in_new: 0,
    different: 1,
    differences: [
      { id: 'nobody', kind: 'only_in_live', fields: [] },
      { id: 'word-3', kind: 'different', fields: ['seen.0'] },
    ],
  });
  expect((await models.of(one).get('word-3'))?.body.seen).toEqual(['word-3']);
  expect(await models.of(one).get('nobody')).toBeUndefined();
});

test('a dry run compares and changes nothing', async () => {
  const one = each('one');
  const { stores, models } = await standing(one);
  await tamper(stores, 'one', 'word-3', { seen: ['word-4'] });
  for (const round of [1, 2]) {
    const [report] = (await rebuild(stores, [one], { dryRun: true })).projections;
    expect([round, report]).toMatchObject([round, { build: 'one@1-b', switched: false, parity: { different: 1 } }]);
  }
  expect((await models.of(one).get('word-3'))?.body.seen).toEqual(['word-4']);
  await stores.say('behind it');
  await until(() => models.waitForHead());
  expect(await models.of(one).get('behind it')).toBeDefined();
});

test('a killed rebuild is resumed or started over', async () => {
  const [all, one] = [seen('all'), each('one')];
  const { stores, models } = await standing(all, one);
  await stores.say(...words(2_000));
  await until(() => models.waitForHead());
  const killed = { writeEvents: 1, onProgress: () => void killedAt(1) };
  let events = 0;
  function killedAt(most: number): void {
    if ((events += 1) > most) throw new Error('killed');
  }
  for (const round of [1, 2]) {
    events = 0;
    await expect(rebuild(stores, [all, one], killed)).rejects.toThrow('killed');
    expect((await models.of(one).scan(5_000)).length).toBe(2_000);
    const report = await rebuild(stores, [all, one], { startOver: round === 2 });
    const resumed = { resumed_from: round === 1 ? expect.any(String) : null, switched: true, parity: same };
    expect(report.projections).toMatchObject([resumed, resumed]);
  }
  expect((await models.of(all).get('all'))?.body.seen).toHaveLength(2_030);
});

test('a poisoned projection keeps its live build, and others are rebuilt', async () => {
  const [well, poisoned] = [seen('well'), seen('poisoned')];
  const { stores, models } = await standing(well, poisoned);
  const { projections } = await rebuild(stores, [well, seen('poisoned', 'word-7')]);
  expect(projections).toMatchObject([
    { name: 'well', switched: true, failed: null, parity: same },
    { name: 'poisoned', switched: false, failed: expect.stringContaining('no word-7 here'), parity: null },
  ]);
  await stores.say('behind it');
  await until(() => models.waitForHead());
  expect((await models.of(poisoned).get('all'))?.body.seen).toHaveLength(31);
});

test('the projector drops a replaced build after some minutes', async () => {
  const all = seen('all');
  const { stores, models } = await standing(all);
  await rebuild(stores, [all]);
  const first = () => stores.store.builds.reached({ name: 'all@1-a' } as NewBuild);
  stores.clock.advance(5 * MINUTE_MS);
  await stores.say('one more');
  await until(() => models.waitForHead());
  expect(await first()).not.toBe(LOG_START);
  stores.clock.advance(6 * MINUTE_MS);
  await until(async () => (await first()) === LOG_START);
  await stores.say('behind it');
  await until(() => models.waitForHead());
  expect((await models.of(all).get('all'))?.body.seen).toHaveLength(32);
});

test('a second rebuild of the same projection waits for the first', async () => {
  const all = seen('all');
  const { stores } = await standing(all);
  const reports = await Promise.all([rebuild(stores, [all]), rebuild(stores, [all])]);
  const builds = reports.map(({ projections }) => projections[0]!.build);
  expect(builds.sort()).toEqual(['all@1-b', 'all@1-c']);
});
