import { expect, test } from '@jest/globals';
import { PROFILES_MAX, ViewCounter } from '#libs/features/identity/view-counter.js';
import { HOUR_MS, MINUTE_MS } from '#libs/kernel/clock.js';
import { InMemoryStores } from '../in-memory-stores.js';

const [ADA, BEN] = ['agent_ada0000000', 'agent_ben0000000'];
const DAY = 'views-2026-11-21';

function counter() {
  const stores = new InMemoryStores();
  const written = () => stores.log.events.map(({ stream, data }) => [stream, (data as { views: object }).views]);
  return { stores, views: new ViewCounter(stores.commands), written };
}

test('writes one event per hour for all profile reads', async () => {
  const { stores, views, written } = counter();
  for (const muse of [ADA, BEN, ADA]) views.count(muse);
  await views.pass();
  stores.clock.advance(59 * MINUTE_MS);
  views.count(ADA);
  await views.pass();
  expect(written()).toEqual([]);
  stores.clock.advance(MINUTE_MS);
  await views.pass();
  expect(written()).toEqual([[DAY, { [ADA]: 3, [BEN]: 1 }]]);
  views.count(BEN);
  await views.pass();
  expect(written()).toHaveLength(1);
});

test('writes no event for an hour without reads', async () => {
  const { stores, views, written } = counter();
  await views.pass();
  stores.clock.advance(HOUR_MS);
  await views.pass();
  await views.flush();
  expect(written()).toEqual([]);
});

test('writes pending counts at shutdown', async () => {
  const { views, written } = counter();
  views.count(ADA);
  await views.flush();
  expect(written()).toEqual([[DAY, { [ADA]: 1 }]]);
});

test('counts a read once when the append succeeded without a response', async () => {
  const { stores, views, written } = counter();
  views.count(ADA);
  stores.log.faults.plan('append', 'unanswered');
  await expect(views.flush()).rejects.toThrow();
  views.count(BEN);
  stores.clock.advance(24 * HOUR_MS);
  await views.pass();
  expect(written()).toEqual([
    [DAY, { [ADA]: 1 }],
    ['views-2026-11-22', { [BEN]: 1 }],
  ]);
});

test('keeps counting during an outage of the log and loses nothing', async () => {
  const { stores, views, written } = counter();
  views.count(ADA);
  stores.log.faults.plan('append', 'lost');
  await expect(views.flush()).rejects.toThrow();
  views.count(ADA);
  await views.flush();
  expect(written()).toEqual([
    [DAY, { [ADA]: 1 }],
    [DAY, { [ADA]: 1 }],
  ]);
});

test('drops profiles beyond the maximum of an event', async () => {
  const { views, written } = counter();
  const museOf = (n: number) => `agent_${String(n).padStart(10, '0')}`;
  for (let n = 0; n < PROFILES_MAX + 10; n += 1) views.count(museOf(n));
  views.count(museOf(0));
  await views.flush();
  const [[, counts]] = written() as [[string, { [muse: string]: number }]];
  expect([Object.keys(counts).length, counts[museOf(0)], counts[museOf(PROFILES_MAX)]]).toEqual([
    PROFILES_MAX,
    2,
    undefined,
  ]);
});
