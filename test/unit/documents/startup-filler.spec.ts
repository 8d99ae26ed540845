import { expect, test } from '@jest/globals';
import { Projector } from '#libs/documents/projector.js';
import type { FillProgress } from '#libs/documents/filling/fill-progress.js';
import { LOG_START } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';
import { benches, type Counted, type DocumentsBench, seen, until } from './bench.js';

const bench = benches();
const words = (count: number) => Array.from({ length: count }, (_, n) => `word-${n}`);
function projector(
  { journal, store, clock, log: _log, ...stores }: DocumentsBench,
  own: readonly Projection<Counted>[],
) {
  const projections = own as unknown as Projection[];
  const models = { moved: () => undefined, stop: () => undefined, onWait: () => undefined };
  const log = { error: (_details: object, message: string) => void stores.errors.push(message) };
  return new Projector({ journal, store, clock, models, log, projections });
}

test('a new version fills its builds before it starts, and reports progress', async () => {
  const stores = bench();
  await stores.say(...words(2_100));
  const notices: FillProgress[] = [];
  const starting = projector(stores, [seen('seen')]);
  await starting.start(progress => notices.push(progress));
  const collection = await stores.store.open(seen('seen'));
  expect((await collection.get('all'))?.body.seen).toEqual(words(2_100));
  expect(notices.map(({ events, of }) => [events, of])).toEqual([
    [1_000, 2_100],
    [2_000, 2_100],
    [2_100, 2_100],
  ]);
  await starting.stop();
});

test.each([
  ['a short log', 100, 'live'],
  ['a longer log', 101, 'new'],
])('%s is folded into the right builds at a start', async (_log, count, build) => {
  const stores = bench();
  await stores.say(...words(count));
  await stores.store.open(seen('seen'));
  const [before] = await stores.store.checkpoints();
  const models = await stores.project([seen('seen')]);
  expect((await models.of(seen('seen')).get('all'))?.body.seen).toEqual(words(count));
  const [after] = await stores.store.checkpoints();
  expect(after!.build === before!.build ? 'live' : 'new').toBe(build);
});

test('a process without a projector waits for the builds of its version', async () => {
  const stores = bench();
  await stores.say(...words(10));
  const models = stores.models([seen('seen')] as never);
  await models.open();
  const waits: (readonly string[])[] = [];
  let isReady = false;
  const ready = models.waitUntilFilled(names => waits.push(names)).then(() => (isReady = true));
  await until(() => waits.length > 0);
  expect([waits[0], isReady]).toEqual([['seen'], false]);
  await new Promise(resolve => setTimeout(resolve, 600));
  expect(waits).toHaveLength(1);
  const starting = projector(stores, [seen('seen')]);
  await starting.start();
  await ready;
  await starting.stop();
});

test('a poison event does not prevent a start, and earlier events are folded', async () => {
  const stores = bench();
  await stores.say(...words(1_200));
  const models = await stores.project([seen('well'), seen('poisoned', 'word-1100')]);
  const [well, poisoned] = await models.states(await stores.log.head());
  expect(well).toMatchObject({ state: 'running', lag: 0 });
  expect(poisoned).toMatchObject({ state: 'stopped', reason: expect.stringContaining('no word-1100 here') });
  expect((await models.of(seen('poisoned')).get('all'))?.body.seen).toEqual(words(1_000));
  await stores.stop();
  const fixed = await stores.project([seen('well'), seen('poisoned')]);
  await until(async () => (await fixed.waitForHead()) && (await fixed.states(LOG_START))[1]!.state === 'running');
  expect((await fixed.of(seen('poisoned')).get('all'))?.body.seen).toEqual(words(1_200));
});

test('starts with all documents after a failed fill', async () => {
  const stores = bench();
  await stores.say(...words(1_500));
  const readAll = stores.log.readAll.bind(stores.log);
  let pages = 1;
  stores.log.readAll = (...args) => ((pages -= 1) >= 0 ? readAll(...args) : Promise.reject(new Error('killed')));
  const killed = projector(stores, [seen('seen')]);
  await expect(killed.start()).rejects.toThrow('killed');
  await killed.stop();
  stores.log.readAll = readAll;
  const models = await stores.project([seen('seen')]);
  expect((await models.of(seen('seen')).get('all'))?.body.seen).toEqual(words(1_500));
});

test('resumes a first fill that was killed after it wrote documents', async () => {
  const stores = bench();
  await stores.say(...words(104));
  const { store, clock, log } = stores;
  const projection = seen('seen') as unknown as Projection;
  await store.open(projection);
  const lease = (await store.lease('killed', 'killed', 1_000, clock.now()))!;
  const [build] = await store.builds.begin(projection);
  const to = log.events[1]!.position;
  const documents = [{ id: 'all', position: to, body: { seen: ['two words'] } }];
  await store.builds.fill(build, { documents, from: LOG_START, to, isGentle: false }, async () => lease);
  const models = await stores.project([seen('seen')]);
  expect((await models.of(seen('seen')).get('all'))?.body.seen).toEqual(['two words', ...words(104).slice(2)]);
  await expect(store.builds.drop(build.name)).rejects.toThrow('is the live build');
});
