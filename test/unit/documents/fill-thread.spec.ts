import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import type { Builds, FillThread, NewBuild } from '#libs/documents/builds.port.js';
import { LogFiller } from '#libs/documents/filling/log-filler.js';
import { CommitConflict } from '#libs/documents/document-store.port.js';
import { SqliteFillThread } from '#libs/documents/sqlite.fill-thread.js';
import { LOG_START } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';
import { ClaimLost } from '#libs/domain/muse.js';
import { transformedSources } from '../../doubles/transformed-sources.js';
import { benches } from './bench.js';

const PROGRAM = pathToFileURL(join(transformedSources(), 'libs', 'documents', 'sqlite.fill-thread.worker.js'));
const LEASE_MS = 10_000;
const threads: FillThread[] = [];
// Runs before the bench's own hook: a late thread would look for a deleted file.
afterEach(async () => {
  await Promise.all(threads.splice(0).map(each => each.end()));
});
const bench = benches();

/** One document per word that counts it, and one for all words. */
const counts: Projection<{ readonly said: number }> = {
  name: 'counts',
  version: 1,
  types: [ClaimLost.type],
  indexes: { bySaid: ['said'] },
  keys: event => [(event.data as { claim: string }).claim, 'all'],
  evolve: before => ({ said: (before?.said ?? 0) + 1 }),
};
const projection = counts as unknown as Projection;

/** Words in an order that reloads documents evicted from memory. */
const wordsOf = (count: number) => Array.from({ length: count }, (_, at) => `word-${at % 700}`);

async function begun(name: string) {
  const stores = bench();
  await stores.store.open(projection);
  const [build] = await stores.store.builds.begin(projection);
  const lease = (await stores.store.lease(name, 'here', LEASE_MS, stores.clock.now()))!;
  const thread = new SqliteFillThread(stores.file, PROGRAM);
  threads.push(thread);
  return { stores, build, lease, thread };
}

test('a fill on a separate thread makes the same documents as a fold', async () => {
  const { stores, build, lease, thread } = await begun('fill');
  const words = wordsOf(3_000);
  await stores.say(...words);
  const [head, asked] = [await stores.log.head(), [] as number[]];
  const fillThread = (): FillThread => ({
    fill: (of, filling, keep) => {
      asked.push(filling.documents.length);
      return thread.fill(of, filling, keep);
    },
    end: async () => undefined,
  });
  const builds: Builds = Object.assign(Object.create(stores.store.builds) as Builds, { fillThread });
  const { journal } = stores;
  const fill = new LogFiller({
    journal,
    builds,
    isGentle: false,
    heldMax: 300,
    onProjectionError: async () => undefined,
  });
  await fill.add(build, async () => lease);
  expect(await fill.fillTo(() => head)).toBe(words.length);
  expect(asked.length).toBeGreaterThan(2);
  const documents = await build.collection.scan(1_000);
  const expected = new Map([['all', words.length]]);
  for (const word of words) expected.set(word, (expected.get(word) ?? 0) + 1);
  expect(new Map(documents.map(({ id, body }) => [id, body['said']]))).toEqual(expected);
  expect(await stores.store.builds.reached(build)).toBe(head);
  expect(await build.collection.find({ index: 'bySaid', equals: [4], order: 'asc', limit: 1 })).toHaveLength(1);
});

const filling = (from: string, to: string) => ({
  documents: [{ id: 'word', position: to, body: { said: 1 } }],
  from,
  to,
  isGentle: false,
});

test('writes nothing under a lease that another process holds', async () => {
  const { stores, build, lease, thread } = await begun('taken');
  await stores.store.seize('taken', 'elsewhere', LEASE_MS, stores.clock.now());
  const refused = thread.fill(build, filling(LOG_START, '1'), async () => lease);
  await expect(refused).rejects.toThrow(new CommitConflict(`The lease taken of epoch ${lease.epoch} is gone.`));
  expect(await build.collection.scan(1)).toEqual([]);
});

test('confirms each queued batch, and rejects a wrong start position', async () => {
  const { stores, build, lease, thread } = await begun('queue');
  const ask = (from: string, to: string) => thread.fill(build, filling(from, to), async () => lease);
  const answers = await Promise.allSettled([ask(LOG_START, '1'), ask('0', '2'), ask('1', '3')]);
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await stores.store.builds.reached(build)).toBe('3');
});

test('reports a failed write and writes the next batch', async () => {
  const { lease, thread, build } = await begun('broken');
  const nowhere: Pick<NewBuild, 'name' | 'projection'> = { name: 'no such build', projection };
  const broken = thread.fill(nowhere, filling(LOG_START, '1'), async () => lease);
  const next = thread.fill(build, filling(LOG_START, '1'), async () => lease);
  await expect(broken).rejects.toThrow('no such table');
  await next;
});

test('rejects pending and later batches once the thread has ended', async () => {
  const { stores, build, lease } = await begun('ended');
  const thread = new SqliteFillThread(join(stores.file, 'no such folder'), PROGRAM);
  const ask = () => thread.fill(build, filling(LOG_START, '1'), async () => lease);
  await expect(ask()).rejects.toThrow('has stopped');
  await expect(ask()).rejects.toThrow('has stopped');
  await thread.end();
});
