import { expect, test } from '@jest/globals';
import { DAY_MS, MINUTE_MS } from '#libs/kernel/clock.js';
import type { Projection } from '#libs/kernel/projection.js';
import { benches, type Counted, type DocumentsBench, seen, until } from './bench.js';

const bench = benches();
const before = seen('seen');
const after: Projection<Counted> = { ...before, version: 2 };

/** The bench after an upgrade, with a reader of the previous version. */
async function upgraded(): Promise<{ stores: DocumentsBench; left: () => Promise<unknown[]> }> {
  const stores = bench();
  const models = await stores.project([before]);
  await stores.say('one');
  await until(() => models.waitForHead());
  await stores.stop();
  const reading = models.of(before);
  return { stores, left: async () => (await reading.scan(10).catch(() => [])).map(({ body }) => body.seen) };
}

test('documents of the previous version are gone a day after an upgrade', async () => {
  const { stores, left } = await upgraded();
  const models = await stores.project([after]);
  const later = async (ms: number, word: string) => {
    stores.clock.advance(ms);
    await stores.say(word);
    await until(() => models.waitForHead());
  };
  await later(DAY_MS - MINUTE_MS, 'two');
  await later(11 * MINUTE_MS, 'three');
  expect(await left()).toEqual([['one']]);
  await until(async () => {
    await later(11 * MINUTE_MS, 'more');
    return (await left()).length === 0;
  });
  expect((await models.of(after).get('all'))?.body.seen.slice(0, 3)).toEqual(['one', 'two', 'three']);
  expect(stores.errors).toEqual([]);
});

test('a projector keeps folding while a large build is dropped, and can be stopped', async () => {
  const { stores } = await upgraded();
  const { builds } = stores.store;
  let ended: AbortSignal | undefined;
  builds.sweep = (_before, signal) => {
    ended = signal;
    return new Promise(resolve => signal!.addEventListener('abort', () => resolve()));
  };
  const models = await stores.project([after]);
  stores.clock.advance(MINUTE_MS);
  await stores.say('two');
  await until(() => ended !== undefined);
  await stores.say('three');
  await until(() => models.waitForHead());
  await stores.stop();
  expect(ended!.aborted).toBe(true);
});
