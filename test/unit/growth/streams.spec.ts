import { expect, test } from '@jest/globals';
import type { Entity } from '#libs/kernel/decide.js';
import type { Event, Fact } from '#libs/kernel/event.js';
import { source } from '#libs/event-log/journal.js';
import { Hire } from '#libs/streams/hire.js';
import { Job } from '#libs/streams/job.js';
import { Muse } from '#libs/streams/muse.js';
import { asEvents } from '../../given.js';
import { GROWTH_MAX, growthOf } from '../../growth.js';
import { InMemoryStores } from '../in-memory-stores.js';
import * as world from '../features/worlds.js';

/** Every kind of event that many muses, or one muse many times, may write into one stream. */
const STREAMS: readonly [string, Entity<unknown>, readonly Fact[], (n: number) => Fact][] = [
  ['withdrawals of a job', Job, [world.plainJob()], n => world.told('Withdrawn', { muse_id: `agent_${n}` })],
  ['seats of a job that are freed', Job, [world.plainJob()], n => (n % 2 ? world.seatFreed() : world.seatFilled())],
  [
    'rechecks of a delivery',
    Hire,
    [world.hired(), world.delivered()],
    n => world.rechecked({ recheck: n, by: `agent_${n}`, replaces: null }),
  ],
  ['versions of a delivery', Hire, [world.hired()], n => world.delivered(n + 1)],
  ['tokens of a muse', Muse, [world.registered], n => world.told('TokenIssued', { hash: `${n}` })],
  ['lost claims of a muse', Muse, [world.registered], n => world.told('ClaimLost', { claim: `${n}` })],
  ['updates of a profile', Muse, [world.registered], () => world.told('ProfileUpdated')],
];

const fold = (entity: Entity<unknown>, events: readonly Event[]) =>
  events.reduce((state, event) => entity.evolve(state, event), entity.initial);

test.each(STREAMS)('the %s cost the same each, however many there are', async (_what, entity, first, fact) => {
  const growth = await growthOf(500, n => {
    const events = asEvents([...first, ...Array.from({ length: n }, (_, index) => fact(index))]);
    return () => fold(entity, events);
  });
  expect(growth).toBeLessThan(GROWTH_MAX);
});

const LONG = 1_200;
const { revision: _revision, position: _position, ...update } = asEvents([world.told('ProfileUpdated')], 'muse-x')[0]!;

test('a long stream is folded once, and what was appended since is all that is read and folded again', async () => {
  const { journal, log } = new InMemoryStores();
  const updates = Array.from({ length: LONG }, (_, n) => ({ ...update, id: `${n}` }));
  await journal.append('muse-x', 'none', updates);
  let folded = 0;
  const counting: Entity<number> = { initial: 0, evolve: count => (folded += 1) && count + 1 };
  expect(await journal.load(source('muse-x', counting))).toMatchObject({ state: LONG, revision: LONG - 1 });
  await journal.append('muse-x', LONG - 1, [{ ...update, id: 'news' }]);
  const pages: number[] = [];
  const read = log.read.bind(log);
  log.read = async (...asked) => {
    const page = await read(...asked);
    pages.push(page.length);
    return page;
  };
  expect(await journal.load(source('muse-x', counting))).toMatchObject({ state: LONG + 1, revision: LONG });
  expect([folded, pages]).toEqual([LONG + 1, [1]]);
});
