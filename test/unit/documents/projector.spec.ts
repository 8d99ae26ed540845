import { expect, test } from '@jest/globals';
import { LOG_START } from '#libs/kernel/event.js';
import { benches, seen, until } from './bench.js';

const LEASE_MS = 10_000;
const bench = benches();
const words = (count: number) => Array.from({ length: count }, (_, n) => `word-${n}`);

test('documents contain events from before and after the projector started', async () => {
  const stores = bench();
  const projection = seen('seen');
  await stores.say('one', 'two');
  const models = await stores.project([projection]);
  expect(await models.waitForHead()).toBe(true);
  await stores.say('three');
  expect(await models.waitForHead()).toBe(true);
  expect((await models.of(projection).get('all'))?.body).toEqual({ seen: ['one', 'two', 'three'] });
});

test('a poison event stops only its projection, which keeps its earlier state', async () => {
  const stores = bench();
  const [well, poisoned] = [seen('well'), seen('poisoned', 'two')];
  const models = await stores.project([well, poisoned]);
  await stores.say('two');
  await until(() => stores.errors.length === 1);
  await stores.say('three');
  await until(async () => (await models.of(well).get('all'))?.body.seen.length === 2);
  expect(await models.of(poisoned).checkpoint()).toBe(LOG_START);
  expect(await models.of(poisoned).get('all')).toBeUndefined();
  const states = await models.states(await stores.log.head());
  expect(states).toMatchObject([
    { name: 'well', state: 'running', lag: 0 },
    { name: 'poisoned', state: 'stopped', lag: expect.any(Number) },
  ]);
  expect(states[1]!.reason).toMatch(/^poisoned cannot take ClaimLost said-1 at \d{20}: Error: no two here$/);
  expect(stores.errors).toEqual([expect.stringContaining('no two here')]);
});

test('a stopped projection resumes with fixed code, and stops again without it', async () => {
  const stores = bench();
  const broken = seen('broken', 'two');
  await stores.say('one');
  let models = await stores.project([broken]);
  await models.waitForHead();
  await stores.say('two');
  for (const round of [1, 2]) {
    await until(() => stores.errors.length === round);
    await stores.stop();
    if (round === 1) models = await stores.project([broken]);
  }
  expect(await models.findStoppedBefore(await stores.log.head())).toBe('broken');
  models = await stores.project([seen('broken')]);
  await until(async () => (await models.findStoppedBefore(await stores.log.head())) === undefined);
  expect((await models.of(broken).get('all'))?.body).toEqual({ seen: ['one', 'two'] });
});

test('an unreachable log is read again', async () => {
  const stores = bench();
  const projection = seen('seen');
  const models = await stores.project([projection]);
  const readAll = stores.log.readAll.bind(stores.log);
  let failures = 2;
  stores.log.readAll = (...args) => ((failures -= 1) >= 0 ? Promise.reject(new Error('no log')) : readAll(...args));
  await stores.say('one');
  await until(async () => (await models.of(projection).get('all')) !== undefined);
  expect(stores.errors).toEqual(['the projector failed; retrying', 'the projector failed; retrying']);
});

test('a projector that stops after a failure releases its lease', async () => {
  const stores = bench();
  const projection = seen('seen');
  const models = await stores.project([projection]);
  await stores.say('one');
  await models.waitForHead();
  stores.log.readAll = () => Promise.reject(new Error('no log'));
  await stores.say('two');
  await until(() => stores.errors.length > 0);
  await stores.stop();
  expect(await stores.store.lease('projector seen@1', 'the next one', LEASE_MS, stores.clock.now())).not.toBeNull();
});

test('reads the checkpoints again after a failed commit, under the same lease', async () => {
  const stores = bench();
  const projection = seen('seen');
  const models = await stores.project([projection]);
  const commit = stores.store.commit.bind(stores.store);
  let lost = 1;
  stores.store.commit = async (batches, lease) => {
    await commit(batches, lease);
    if ((lost -= 1) === 0) throw new Error('the answer was lost');
  };
  await stores.say('one');
  await until(() => stores.errors.length === 1);
  await stores.say('two');
  await until(() => models.waitForHead());
  expect((await models.of(projection).get('all'))?.body.seen).toEqual(['one', 'two']);
  expect(stores.errors).toHaveLength(1);
});

test('a projection that catches up does not delay the others', async () => {
  const stores = bench();
  const [well, broken] = [seen('well'), seen('broken', 'word-0')];
  const models = await stores.project([well, broken]);
  await stores.say(...words(4_000));
  await until(async () => (await models.of(well).get('all'))?.body.seen.length === 4_000);
  await stores.stop();
  await stores.say('news');
  const order: string[] = [];
  const commit = stores.store.commit.bind(stores.store);
  stores.store.commit = async (batches, ...leases) => {
    order.push(...batches.flatMap(({ projection, from, to }) => (to > from ? [projection.name] : [])));
    await commit(batches, ...leases);
  };
  const fixed = await stores.project([well, seen('broken')]);
  await until(() => fixed.waitForHead());
  expect(order.indexOf('well')).toBeLessThan(2);
  expect(order.filter(name => name === 'broken')).toHaveLength(9);
  for (const each of [well, broken])
    expect((await fixed.of(each).get('all'))?.body.seen).toEqual([...words(4_000), 'news']);
});
