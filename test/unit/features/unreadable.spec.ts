import { describe, expect, test } from '@jest/globals';
import type { ReadModels } from '#libs/documents/read-models.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import {
  type DeliveryRetry,
  recordLateReading,
  nextRetryState,
  initialRetryState,
  RETRY_TOTAL_MS,
  isGivenUp,
  PAUSE_MS_MAX,
  UnreadableDeliveries,
} from '#libs/features/deliveries/unreadable-deliveries.js';
import { HOUR_MS, MINUTE_MS } from '#libs/kernel/clock.js';
import { MemoryCoordination } from '../../doubles/memory-coordination.js';
import { TestClock } from '../../doubles/test-clock.js';
import { NOW } from '../../given.js';
import { mediaTypeOf } from '#libs/features/deliveries/delivery-content.js';
import { testDecisions } from './deciding.js';
import { delivered, deliveryRead, hired, told } from './worlds.js';

const unread = (delivery = 1) => told('DeliveryRead', { delivery, digest: null, reason: 'status', bytes: 0 });
const FOUND = { digest: 'ab'.repeat(32), bytes: 12, media_type: 'text/html' };

const waiting = [hired(), delivered(), unread()];
const reading = (hire: Hire) => recordLateReading(hire, 1, FOUND);

describe('a later reading of a delivery', () => {
  const unreadable = { delivery: 1, ...FOUND, reason: null };
  testDecisions(Hire, {}, [
    ['is recorded', waiting, reading, { DeliveryRead: unreadable }],
    ['is recorded once', [...waiting, told('DeliveryRead', unreadable)], reading, {}],
    ['is ignored if the delivery was read', [hired(), delivered(), deliveryRead()], reading, {}],
    ['is ignored before the first reading', [hired(), delivered()], reading, {}],
    ['is ignored after a newer delivery', [...waiting, delivered(2), unread(2)], reading, {}],
    ['is ignored without a delivery', [hired()], reading, {}],
  ]);
});

test.each([
  ['text/html; charset=utf-8', 'text/html'],
  [' Image/SVG+XML ', 'image/svg+xml'],
  ['text/', null],
  ['text/html <b>', null],
  [`text/${'x'.repeat(128)}`, null],
  [null, null],
])('the media type of the header %j is %j', (header, mediaType) => {
  expect(mediaTypeOf(header)).toBe(mediaType);
});

test('retry delays double from a minute to four hours and end after a day', () => {
  let tries = initialRetryState(NOW);
  const pauses: number[] = [];
  for (let now = tries.next; !isGivenUp(NOW, now); now = tries.next) {
    tries = nextRetryState(tries, now);
    pauses.push((tries.next - now) / MINUTE_MS);
  }
  expect(pauses.slice(0, 4)).toEqual([2, 4, 8, 16]);
  expect(Math.max(...pauses) * MINUTE_MS).toBe(PAUSE_MS_MAX);
  expect(pauses.length).toBeLessThan(15);
});

describe('the retry of unreadable deliveries', () => {
  function bench(count: number, at = NOW) {
    const clock = new TestClock(NOW);
    const coordination = new MemoryCoordination();
    const tried: number[] = [];
    const url = 'https://pages.example/';
    const documents = Array.from({ length: count }, (_, hire) => ({
      id: String(hire),
      body: { hire, updated_at: at, delivery: { version: 1, url, at, digest: null } },
    }));
    const find = async ({ limit, after }: { limit: number; after?: readonly [number, string] }) => {
      const from = after ? documents.findIndex(({ id }) => id === after[1]) + 1 : 0;
      return documents.slice(from, from + limit);
    };
    const models = { of: () => ({ find }) } as unknown as ReadModels;
    const retry = { read: async (hire: number) => void tried.push(hire) } as unknown as DeliveryRetry;
    const process = () => new UnreadableDeliveries(models, coordination, clock, retry);
    return { clock, tried, process };
  }

  test('waits a minute and then retries each delivery once across processes', async () => {
    const { clock, tried, process } = bench(3);
    const processes = [process(), process()];
    await Promise.all(processes.map(each => each.pass()));
    expect(tried).toEqual([]);
    clock.advance(MINUTE_MS);
    await Promise.all(processes.map(each => each.pass()));
    await processes[0]!.pass();
    expect(tried.sort()).toEqual([0, 1, 2]);
    clock.advance(2 * MINUTE_MS);
    await processes[1]!.pass();
    expect(tried).toHaveLength(6);
  });

  test('gives up after a day', async () => {
    const { clock, tried, process } = bench(1);
    const looking = process();
    for (let hours = 0; hours < 60; hours += 1) {
      await looking.pass();
      clock.advance(HOUR_MS);
    }
    expect(tried.length).toBeGreaterThan(8);
    clock.advance(RETRY_TOTAL_MS);
    const before = tried.length;
    await looking.pass();
    expect(tried).toHaveLength(before);
  });

  test('retries many deliveries in bounded passes', async () => {
    const { clock, tried, process } = bench(60);
    const looking = process();
    clock.advance(MINUTE_MS);
    await looking.pass();
    expect(tried).toHaveLength(16);
    for (let passes = 1; passes < 5; passes += 1) await looking.pass();
    expect(new Set(tried).size).toBe(60);
  });
});
