import { afterEach, expect, test } from '@jest/globals';
import { liveId } from '#libs/documents/build-name.js';
import { partsOf } from '#libs/documents/parts.js';
import { Rebuild } from '#libs/documents/rebuild/rebuild.js';
import { START } from '#libs/kernel/event.js';
import { Forgotten } from '#libs/streams/muse.js';
import { until } from '../unit/documents/bench.js';
import { contract, documentStores } from './adapters.js';
import { counts, GONE, Processes, stopAll, WORDS, words } from './documents.parts.given.js';
import { at, NOW, TTL_MS } from './documents.samples.js';

const TIMEOUT_MS = 60_000;
afterEach(stopAll);

contract('parts of a projection', documentStores, open => {
  test('each part goes on by itself, and what readers are told is how far all of them are', async () => {
    const [store, there] = [await open(), await open()];
    const [collection] = await Promise.all([store, there].map(each => each.open(words())));
    const parts = partsOf(words(), store.parts);
    const leases = await store.leaseAll(parts.map(liveId), 'here', TTL_MS, NOW);
    const move = (number: number, from: string, to: number) => {
      const documents = [{ id: `d${number}`, position: at(to), body: { count: to } }];
      return store.commit([{ projection: parts[number]!, documents, from, to: at(to) }], leases[number]!);
    };
    for (const [number] of parts.slice(1).entries()) await move(number + 1, START, 5);
    expect(await collection!.checkpoint()).toBe(START);
    await move(0, START, 3);
    expect(await collection!.checkpoint()).toBe(at(3));
    await move(0, at(3), 5);
    expect((await there.checkpoints()).map(each => [liveId(each), each.position])).toEqual(
      parts.map(part => [liveId(part), at(5)]),
    );
    await store.halt(parts[0]!, 'it cannot take an event', leases[0]!);
    expect((await there.checkpoints()).map(each => each.stopped !== null)).toEqual(parts.map((_, n) => n === 0));
    await expect(
      store.commit([{ projection: parts[0]!, documents: [], from: at(3), to: at(9) }], leases[0]!),
    ).rejects.toThrow('not');
  });

  test(
    'processes share the parts, each word is folded by one of them, and what one leaves goes on',
    async () => {
      const processes = new Processes(open);
      const [first, models] = [await processes.start('a'), await processes.reader()];
      expect(await processes.owners(models)).toEqual(['a']);
      await processes.start('b');
      if ((await open()).parts > 1) await until(async () => (await processes.owners(models)).join() === 'a,b');
      await first.stop();
      await until(async () => (await processes.owners(models)).join() === 'b');
      expect(new Set(await counts(models)).size).toBe(1);
      expect(processes.errors).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    'processes that start at once on a long log fill it together, and answer once all of it is filled',
    async () => {
      const processes = new Processes(open);
      for (let times = 0; times < 3; times += 1) await processes.sayAll();
      await Promise.all(['a', 'b', 'c'].map(me => processes.start(me)));
      const models = await processes.reader();
      expect(await counts(models)).toEqual(WORDS.map(() => 3));
      await processes.owners(models);
      expect(await counts(models)).toEqual(WORDS.map(() => 4));
      expect(processes.errors).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    'an event that one part cannot take stops the projection for readers, and goes on with code that can',
    async () => {
      const processes = new Processes(open);
      const broken = await processes.start('a', id => {
        if (id === 'word-7') throw new Error('no seven here');
      });
      const models = await processes.reader();
      await processes.sayAll();
      await until(() => processes.errors.length > 0);
      expect(await models.stoppedBefore(await processes.log.head())).toBe('words');
      expect((await models.states(await processes.log.head())).map(({ name, state }) => [name, state])).toEqual([
        ['words', 'stopped'],
      ]);
      await broken.stop();
      await processes.start('b');
      await until(async () => (await models.stoppedBefore(await processes.log.head())) === undefined);
      expect(await counts(models)).toEqual(WORDS.map(() => 1));
    },
    TIMEOUT_MS,
  );

  test(
    'what a muse wrote who is forgotten is erased in every part',
    async () => {
      const processes = new Processes(open);
      for (const me of ['a', 'b']) await processes.start(me);
      const models = await processes.reader();
      await processes.sayAll();
      await processes.say(Forgotten({ muse_id: GONE, referred_by: null }));
      expect(await models.reachHead()).toBe(true);
      const left = await models.of(words()).scan(100);
      expect(left.map(({ body }) => body.muse)).toEqual(WORDS.map(() => null));
    },
    TIMEOUT_MS,
  );

  test(
    'a rebuild makes all parts anew while several processes go on with them',
    async () => {
      const processes = new Processes(open);
      for (const me of ['a', 'b']) await processes.start(me);
      const models = await processes.reader();
      for (let times = 0; times < 3; times += 1) await processes.sayAll();
      expect(await models.reachHead()).toBe(true);
      const { journal, clock } = processes;
      const rebuilding = new Rebuild(
        { journal, store: await open(), clock, projections: [words()] },
        { dryRun: false },
      );
      const [{ projections }] = await Promise.all([rebuilding.run(), processes.sayAll()]);
      expect(projections).toMatchObject([
        { name: 'words', switched: true, failed: null, parity: { compared: WORDS.length, differences: [] } },
      ]);
      expect(projections[0]!.build).toMatch(/-b$/);
      await processes.sayAll();
      expect(await models.reachHead()).toBe(true);
      expect(await counts(models)).toEqual(WORDS.map(() => 5));
      const store = await open();
      await store.open(words());
      await store.builds.sweep(clock.now() + 1);
      expect(await (await store.open(words())).scan(100)).toHaveLength(WORDS.length);
      expect(processes.errors).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    'documents of more than the log holds are made anew in every part, by processes that start together',
    async () => {
      const before = new Processes(open);
      for (let times = 0; times < 2; times += 1) await before.sayAll();
      await (await before.start('a')).stop();
      const restored = new Processes(open);
      await restored.sayAll();
      await Promise.all(['a', 'b'].map(me => restored.start(me)));
      const models = await restored.reader();
      expect(await counts(models)).toEqual(WORDS.map(() => 1));
      await restored.owners(models);
      expect(await counts(models)).toEqual(WORDS.map(() => 2));
      expect(restored.errors).toEqual([expect.stringContaining('ends before documents')]);
    },
    TIMEOUT_MS,
  );

  test(
    'a log that ends between where the parts are is one that all of them are made anew of',
    async () => {
      const before = new Processes(open);
      await before.sayAll();
      await (await before.start('a')).stop();
      const store = await open();
      await store.open(words());
      const last = partsOf(words(), store.parts).at(-1)!;
      const { position: from } = (await store.checkpoints()).find(each => liveId(each) === liveId(last))!;
      const lease = (await store.lease(liveId(last), 'somebody', TTL_MS, NOW))!;
      await store.commit([{ projection: last, documents: [], from, to: at(WORDS.length + 9) }], lease);
      await store.release(lease);
      const restored = new Processes(open);
      await restored.sayAll();
      await Promise.all(['a', 'b'].map(me => restored.start(me)));
      const models = await restored.reader();
      await restored.owners(models);
      expect(await counts(models)).toEqual(WORDS.map(() => 2));
    },
    TIMEOUT_MS,
  );
});
