import { expect, test } from '@jest/globals';
import type { Entity } from '#libs/kernel/decide.js';
import type { Event } from '#libs/kernel/event.js';
import { Escrow } from '#libs/domain/escrow.js';
import { Payment } from '#libs/domain/payment.js';
import { Service } from '#libs/domain/service.js';
import { Message } from '#libs/features/messages/domain/message.js';
import { STREAMS as KINDS } from '#libs/features/streams.generated.js';
import { createStreamSource } from '#libs/event-log/journal.js';
import { asEvents } from '../../given.js';
import { GROWTH_MAX, measureGrowth } from '../../growth.js';
import { GROWING_STREAMS } from '../../repeated-events.js';
import { InMemoryStores } from '../../unit/in-memory-stores.js';
import * as world from '../../unit/features/worlds.js';

const fold = (entity: Entity<unknown>, events: readonly Event[]) =>
  events.reduce((state, event) => entity.evolve(state, event), entity.initial);

test.each(GROWING_STREAMS)(
  'each of the %s costs the same, however many there are',
  async (_what, entity, first, fact) => {
    const growth = await measureGrowth(500, n => {
      const events = asEvents([...first, ...Array.from({ length: n }, (_, index) => fact(index))]);
      return () => fold(entity, events);
    });
    expect(growth).toBeLessThan(GROWTH_MAX);
  },
);

/** Short streams: a message, the steps of a payment or an escrow, the keys of the service. */
const SHORT: readonly Entity<unknown>[] = [Message, Payment, Escrow, Service];

test('names a kind of stream whose growth is not measured', () => {
  const measured = new Set([...GROWING_STREAMS.map(([, entity]) => entity), ...SHORT]);
  expect(KINDS.filter(kind => !measured.has(kind)).map(({ category }) => category)).toEqual([]);
});

const LONG = 1_200;
const { revision: _revision, position: _position, ...update } = asEvents([world.told('ProfileUpdated')], 'muse-x')[0]!;

test('a long stream is folded once, and later loads read and fold only new events', async () => {
  const { journal, log } = new InMemoryStores();
  const updates = Array.from({ length: LONG }, (_, n) => ({ ...update, id: `${n}` }));
  await journal.append('muse-x', 'none', updates);
  let folded = 0;
  const counting: Entity<number> = { initial: 0, evolve: count => (folded += 1) && count + 1 };
  expect(await journal.load(createStreamSource('muse-x', counting))).toMatchObject({ state: LONG, revision: LONG - 1 });
  await journal.append('muse-x', LONG - 1, [{ ...update, id: 'news' }]);
  const pages: number[] = [];
  const read = log.read.bind(log);
  log.read = async (...args) => {
    const page = await read(...args);
    pages.push(page.length);
    return page;
  };
  expect(await journal.load(createStreamSource('muse-x', counting))).toMatchObject({ state: LONG + 1, revision: LONG });
  expect([folded, pages]).toEqual([LONG + 1, [1]]);
});
