import { expect, test } from '@jest/globals';
import { START } from '#libs/kernel/event.js';
import { benches, seen, until } from './bench.js';

/** How long the lease of a process that died stands. */
const LEASE_MS = 10_000;
const bench = benches();
const words = (count: number) => Array.from({ length: count }, (_, n) => `word-${n}`);

test('documents contain what was written before the projector began, and what is written after', async () => {
  const desk = bench();
  const projection = seen('seen');
  await desk.say('one', 'two');
  const models = await desk.project([projection]);
  expect(await models.reachHead()).toBe(true);
  await desk.say('three');
  expect(await models.reachHead()).toBe(true);
  expect((await models.of(projection).get('all'))?.body).toEqual({ seen: ['one', 'two', 'three'] });
});

test('a poison event stops its projection and no other', async () => {
  const desk = bench();
  const [well, poisoned] = [seen('well'), seen('poisoned', 'two')];
  const models = await desk.project([well, poisoned]);
  await desk.say('one', 'two', 'three');
  await until(async () => (await models.of(well).get('all'))?.body.seen.length === 3);
  const states = await models.states(await desk.log.head());
  expect(states).toMatchObject([
    { name: 'well', state: 'running', lag: 0 },
    { name: 'poisoned', state: 'stopped', lag: expect.any(Number) },
  ]);
  expect(states[1]!.reason).toMatch(/^poisoned cannot take ClaimLost said-2 at \d{20}: Error: no two here$/);
  expect(desk.errors).toEqual([expect.stringContaining('no two here')]);
});

test('a projection that stopped goes on from there with code that takes the event, and stops again without', async () => {
  const desk = bench();
  const broken = seen('broken', 'two');
  await desk.say('one');
  let models = await desk.project([broken]);
  await models.reachHead();
  await desk.say('two');
  for (const round of [1, 2]) {
    await until(() => desk.errors.length === round);
    await desk.stop();
    if (round === 1) models = await desk.project([broken]);
  }
  expect(await models.stoppedBefore(await desk.log.head())).toBe('broken');
  models = await desk.project([seen('broken')]);
  await until(async () => (await models.stoppedBefore(await desk.log.head())) === undefined);
  expect((await models.of(broken).get('all'))?.body).toEqual({ seen: ['one', 'two'] });
});

test('a poisoned projection is left where it was before the batch, and the others go on behind it', async () => {
  const desk = bench();
  const [well, poisoned] = [seen('well'), seen('poisoned', 'two')];
  const models = await desk.project([well, poisoned]);
  await desk.say('two');
  await until(() => desk.errors.length === 1);
  await desk.say('three');
  await until(async () => (await models.of(well).get('all'))?.body.seen.length === 2);
  expect(await models.of(poisoned).checkpoint()).toBe(START);
  expect(await models.of(poisoned).get('all')).toBeUndefined();
  expect(desk.errors).toHaveLength(1);
});

test('a new projection catches up from the beginning while the others stand where they are', async () => {
  const desk = bench();
  await desk.say('one');
  const old = seen('old');
  await (await desk.project([old])).reachHead();
  await desk.stop();
  await desk.say('two');
  const added = seen('added');
  const models = await desk.project([old, added]);
  expect(await models.reachHead()).toBe(true);
  for (const each of [old, added]) expect((await models.of(each).get('all'))?.body.seen).toEqual(['one', 'two']);
});

test('more events than a batch holds are folded in their order', async () => {
  const desk = bench();
  const projection = seen('seen');
  await desk.say(...words(1_100));
  const models = await desk.project([projection]);
  await until(() => models.reachHead());
  expect((await models.of(projection).get('all'))?.body.seen).toEqual(words(1_100));
});

test('of two projectors one writes; when it stops the other goes on', async () => {
  const desk = bench();
  const projection = seen('seen');
  const models = await desk.project([projection]);
  await desk.say('one');
  await models.reachHead();
  const standby = await desk.project([projection], desk.models([projection] as never));
  await desk.say('two');
  expect(await standby.reachHead()).toBe(true);
  await desk.stop();
  await desk.project([projection], standby);
  await desk.say('three');
  expect(await standby.reachHead()).toBe(true);
  expect((await standby.of(projection).get('all'))?.body.seen).toEqual(['one', 'two', 'three']);
  expect(desk.errors).toEqual([]);
});

test('a log that cannot be reached is asked again', async () => {
  const desk = bench();
  const projection = seen('seen');
  const models = await desk.project([projection]);
  const readAll = desk.log.readAll.bind(desk.log);
  let failures = 2;
  desk.log.readAll = (...asked) => ((failures -= 1) >= 0 ? Promise.reject(new Error('no log')) : readAll(...asked));
  await desk.say('one');
  await until(async () => (await models.of(projection).get('all')) !== undefined);
  expect(desk.errors).toEqual([
    'the projector could not go on; it tries again',
    'the projector could not go on; it tries again',
  ]);
});

test('a projector that stops right after a failure leaves its lease to the next one', async () => {
  const desk = bench();
  const projection = seen('seen');
  const models = await desk.project([projection]);
  await desk.say('one');
  await models.reachHead();
  desk.log.readAll = () => Promise.reject(new Error('no log'));
  await desk.say('two');
  await until(() => desk.errors.length > 0);
  await desk.stop();
  expect(await desk.store.lease('seen@1', 'the next one', LEASE_MS, desk.clock.now())).not.toBeNull();
});

test('after a failed commit the checkpoints are read again, under the same lease', async () => {
  const desk = bench();
  const projection = seen('seen');
  const models = await desk.project([projection]);
  const commit = desk.store.commit.bind(desk.store);
  let lost = 1;
  desk.store.commit = async (batches, lease) => {
    await commit(batches, lease);
    if ((lost -= 1) === 0) throw new Error('the answer was lost');
  };
  await desk.say('one');
  await until(() => desk.errors.length === 1);
  await desk.say('two');
  await until(() => models.reachHead());
  expect((await models.of(projection).get('all'))?.body.seen).toEqual(['one', 'two']);
  expect(desk.errors).toHaveLength(1);
});
