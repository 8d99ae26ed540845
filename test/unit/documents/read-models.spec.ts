import { setImmediate as turn } from 'node:timers/promises';
import { expect, jest, test } from '@jest/globals';
import { ReadModels } from '#libs/documents/read-models.js';
import { Rebuild } from '#libs/documents/rebuild/rebuild.js';
import { SqliteDocumentStore } from '#libs/documents/sqlite.document-store.js';
import { LOG_START } from '#libs/kernel/event.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { NOW } from '../../given.js';
import { benches, seen, until } from './bench.js';

const bench = benches();
const SOON_MS = 30;
const LONG_MS = 5_000;
const projection = seen('seen');
const other = seen('other');

async function standing() {
  const stores = bench();
  const models = stores.models([projection, other] as never);
  await models.open();
  const commit = async (name: string, from: string, to: string) => {
    const lease = (await stores.store.lease('projector', 'test', LONG_MS, stores.clock.now()))!;
    await stores.store.commit([{ projection: { name, version: 1 }, documents: [], from, to }], lease);
  };
  const halt = async (name: string) => {
    const lease = (await stores.store.lease('projector', 'test', LONG_MS, stores.clock.now()))!;
    await stores.store.stop({ name, version: 1 }, 'it cannot take an event', lease);
  };
  return { stores, models, commit, halt };
}

test('the position of the documents is that of the slowest projection', async () => {
  const { stores, models, commit } = await standing();
  await stores.say('one', 'two');
  const [one, two] = stores.log.events.map(({ position }) => position);
  await commit('seen', LOG_START, two!);
  expect(await models.position()).toBe(LOG_START);
  await commit('other', LOG_START, one!);
  expect(await models.position()).toBe(one);
});

test('does not wait for a position that is reached', async () => {
  const { models } = await standing();
  expect(await models.waitForPosition(LOG_START, 0)).toBe(true);
});

test('returns false for a position that is not reached in time', async () => {
  const { stores, models } = await standing();
  await stores.say('one');
  const before = Date.now();
  expect(await models.waitForPosition(await stores.log.head(), SOON_MS)).toBe(false);
  expect(Date.now() - before).toBeGreaterThanOrEqual(SOON_MS - 2);
});

test('a wait ends when the projector of the same process moves', async () => {
  const { stores, models } = await standing();
  const running = await stores.project([projection, seen('other')], models);
  await stores.say('one');
  expect(await running.waitForPosition(await stores.log.head(), LONG_MS)).toBe(true);
  expect((await running.of(projection).get('all'))?.body).toEqual({ seen: ['one'] });
});

test('trusts no position of switched builds until readers use them', async () => {
  const { stores, models, commit } = await standing();
  await stores.say('one');
  const head = await stores.log.head();
  const checkpoints = jest.spyOn(stores.store, 'checkpoints').mockRejectedValue(new Unavailable('The document store'));
  for (const isAnew of [true, false]) models.moved(head, isAnew);
  await turn();
  checkpoints.mockRestore();
  expect(await models.waitForPosition(head, SOON_MS)).toBe(false);
  await commit('seen', LOG_START, head);
  await commit('other', LOG_START, head);
  models.moved(head);
  expect(await models.waitForPosition(head, SOON_MS)).toBe(true);
});

test('a wait ends when the projector of another process moves', async () => {
  const { stores, models, commit } = await standing();
  await stores.say('one');
  const head = await stores.log.head();
  const reached = models.waitForPosition(head, LONG_MS);
  await commit('seen', LOG_START, head);
  await commit('other', LOG_START, head);
  expect(await reached).toBe(true);
});

test('does not wait for a stopped projection, and names it while it lags', async () => {
  const { stores, models, commit, halt } = await standing();
  await stores.say('one', 'two');
  const [one, two] = stores.log.events.map(({ position }) => position);
  await commit('seen', LOG_START, two!);
  await commit('other', LOG_START, one!);
  expect(await models.findStoppedBefore(two!)).toBeUndefined();
  await halt('other');
  expect(await models.waitForPosition(two!, 0)).toBe(true);
  expect(await models.findStoppedBefore(one!)).toBeUndefined();
  expect(await models.findStoppedBefore(two!)).toBe('other');
  await commit('other', one!, two!);
  expect(await models.findStoppedBefore(two!)).toBeUndefined();
});

test('takes no document to be missing while its projection lags or has stopped', async () => {
  const { stores, models, commit, halt } = await standing();
  await stores.say('one');
  const head = await stores.log.head();
  await commit('seen', LOG_START, head);
  await halt('other');
  await models.waitUntilCurrent(projection);
  await expect(models.waitUntilCurrent(other)).rejects.toThrow(Unavailable);
  await stores.say('two');
  await expect(models.waitUntilCurrent(projection)).rejects.toThrow(Unavailable);
});

test('requires that running projections are current and named ones did not stop', async () => {
  const { stores, models, commit, halt } = await standing();
  await stores.say('one');
  const head = await stores.log.head();
  await commit('seen', LOG_START, head);
  await expect(models.waitUntilReached(head, [projection], 0)).rejects.toThrow(Unavailable);
  await halt('other');
  await models.waitUntilReached(head, [projection], 0);
  await expect(models.waitUntilReached(head, [projection, other], 0)).rejects.toThrow(Unavailable);
});

test('a wait includes a projection that resumed after a stop', async () => {
  const { stores, models, commit, halt } = await standing();
  await stores.say('one', 'two');
  const [one, two] = stores.log.events.map(({ position }) => position);
  await commit('seen', LOG_START, two!);
  await halt('other');
  expect(await models.waitForPosition(two!, 0)).toBe(true);
  await commit('other', LOG_START, one!);
  expect(await models.waitForPosition(two!, SOON_MS)).toBe(false);
});

test('a reader with its own connection sees events after a rebuild at once', async () => {
  const stores = bench();
  const { journal, log, clock } = stores;
  const [reading, rebuilding] = [SqliteDocumentStore.open(stores.file), SqliteDocumentStore.open(stores.file)];
  const models = new ReadModels(reading, log, [projection] as never);
  await models.open();
  await stores.projector([projection], { models });
  await stores.say('one');
  await until(() => models.waitForHead());
  const parts = { journal, store: rebuilding, clock, projections: [projection] as never };
  await new Rebuild(parts, { dryRun: false }).run();
  const moved = models.nextMove(LONG_MS);
  await stores.say('two');
  expect(await moved).toBe(true);
  expect((await models.of(projection).get('all'))?.body.seen).toEqual(['one', 'two']);
  await stores.stop();
  await Promise.all([reading.close(), rebuilding.close()]);
});

test('a wait ends when its projection stops', async () => {
  const { stores, models, commit, halt } = await standing();
  await stores.say('one');
  const head = await stores.log.head();
  await commit('seen', LOG_START, head);
  const began = Date.now();
  const reached = models.waitForPosition(head, LONG_MS);
  await halt('other');
  expect(await reached).toBe(true);
  expect(Date.now() - began).toBeLessThan(LONG_MS);
});

test('does not wait if every projection is stopped', async () => {
  const { stores, models, halt } = await standing();
  await stores.say('one');
  for (const name of ['seen', 'other']) await halt(name);
  expect(await models.waitForHead()).toBe(true);
  expect(await models.findStoppedBefore(await stores.log.head())).toBe('seen');
});

test('health lists the position of each projection and why it stopped', async () => {
  const { stores, models, commit, halt } = await standing();
  await stores.say('one');
  const head = await stores.log.head();
  await commit('seen', LOG_START, head);
  await halt('other');
  expect(await models.states(head)).toEqual([
    { name: 'seen', version: 1, position: head, lag: 0, waiting_since: null, state: 'running' },
    {
      name: 'other',
      version: 1,
      position: LOG_START,
      lag: 1,
      waiting_since: NOW,
      state: 'stopped',
      reason: 'it cannot take an event',
    },
  ]);
});

test('a projection stopped by another process is named until it resumes', async () => {
  const { stores, models, commit, halt } = await standing();
  await stores.say('one');
  const head = await stores.log.head();
  await commit('seen', LOG_START, head);
  expect(await models.findStoppedBefore(head)).toBeUndefined();
  await halt('other');
  const elsewhere = stores.models([projection, other] as never);
  await elsewhere.open();
  expect(await elsewhere.findStoppedBefore(head)).toBe('other');
  expect(await elsewhere.waitForPosition(head, 0)).toBe(true);
  await commit('other', LOG_START, head);
  expect(await elsewhere.findStoppedBefore(head)).toBeUndefined();
  expect((await elsewhere.states(head)).map(({ state }) => state)).toEqual(['running', 'running']);
});

test('a projection that is not among the read models cannot be read', async () => {
  const { models } = await standing();
  expect(() => models.of(seen('unheard'))).toThrow('not among the read models');
});
