import { afterEach, expect, test } from '@jest/globals';
import { ReadModels } from '#libs/documents/read-models.js';
import { Rebuild } from '#libs/documents/rebuild/rebuild.js';
import { SqliteDocumentStore } from '#libs/documents/sqlite.document-store.js';
import { LOG_START } from '#libs/kernel/event.js';
import { benches, seen, until } from './bench.js';

const opened: SqliteDocumentStore[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(store => store.close()));
});
const bench = benches();
const projection = seen('seen');
const LONG_MS = 5_000;

test('a reader with its own connection sees events after a rebuild at once', async () => {
  const stores = bench();
  const { journal, log, clock } = stores;
  const open = () => {
    const store = SqliteDocumentStore.open(stores.file);
    opened.push(store);
    return store;
  };
  const models = new ReadModels(open(), log, clock, [projection] as never);
  await models.open();
  await stores.projector([projection], { models });
  await stores.say('one');
  await until(() => models.waitForHead());
  await new Rebuild({ journal, store: open(), clock, projections: [projection] as never }, { dryRun: false }).run();
  const moved = models.nextMove(LONG_MS);
  await stores.say('two');
  expect(await moved).toBe(true);
  expect((await models.of(projection).get('all'))?.body.seen).toEqual(['one', 'two']);
});

test('a wait includes a projection that resumed after a stop', async () => {
  const stores = bench();
  const { store, log, clock } = stores;
  const [well, stopped] = [seen('well'), seen('stopped')];
  const models = new ReadModels(store, log, clock, [well, stopped] as never);
  await models.open();
  await stores.say('one', 'two');
  const head = await log.head();
  const lease = (await store.lease('projector', 'here', 10_000, clock.now()))!;
  const commit = (name: string, to: string) =>
    store.commit([{ projection: { name, version: 1 }, documents: [], from: LOG_START, to }], lease);
  await commit('well', head);
  await store.stop(stopped, 'it cannot take an event', lease);
  expect(await models.waitForPosition(head, 100)).toBe(true);
  const [first] = (await log.readAll(LOG_START, 1)).events;
  await commit('stopped', first!.position);
  expect(await models.waitForPosition(head, 100)).toBe(false);
});
