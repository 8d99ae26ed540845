import { afterEach, expect, test } from '@jest/globals';
import { NEWEST_MAX, NewestEvents } from '#libs/features/events-feed/newest-events.js';
import { LOG_START, type StoredEvent } from '#libs/kernel/event.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { MemoryLog } from '../../doubles/memory-log.js';
import { asEvents } from '../../given.js';
import { until } from '../documents/bench.js';

/** Log that counts reads and listeners. */
class CountedLog extends MemoryLog {
  reads = 0;
  listening = 0;
  isDown = false;

  override async readAll(...args: Parameters<MemoryLog['readAll']>) {
    this.reads += 1;
    if (this.isDown) throw new Unavailable('The event log');
    return super.readAll(...args);
  }

  override wake(listener: () => void): () => void {
    this.listening += 1;
    const stop = super.wake(listener);
    return () => {
      this.listening -= 1;
      stop();
    };
  }

  async say(count = 1): Promise<void> {
    const facts = Array.from({ length: count }, () => ({ type: 'Said', version: 1, data: {} }));
    const stream = `s-${this.events.length}`;
    await this.append(stream, 'none', asEvents(facts, stream) as never);
  }
}

/** A waiting client and its number of wake-ups. */
class Waiter {
  told = 0;
  readonly leave: () => void;

  constructor(newest: NewestEvents) {
    this.leave = newest.wake(() => (this.told += 1));
    leaving.push(this.leave);
  }
}

const leaving: (() => void)[] = [];
afterEach(() => leaving.splice(0).forEach(leave => leave()));

async function standing(waiters: number) {
  const log = new CountedLog();
  await log.say();
  const newest = new NewestEvents(log);
  const all = Array.from({ length: waiters }, () => new Waiter(newest));
  const head = await log.head();
  await until(() => newest.since(head) !== null);
  return { log, newest, all, head };
}

const positions = (events: readonly StoredEvent[] | undefined) => events?.map(({ position }) => position);

test.each([1, 20])('reads the log once per append for %i waiting clients', async count => {
  const { log, newest, all, head } = await standing(count);
  for (let n = 1; n <= 3; n += 1) {
    const before = log.reads;
    await log.say();
    await until(() => newest.since(head)!.events.length === n);
    expect(log.reads - before).toBe(1);
  }
  expect(new Set(all.map(({ told }) => told))).toEqual(new Set([4]));
  expect(newest.since(head)).toEqual({
    events: log.events.slice(1),
    next: await log.head(),
    head: await log.head(),
  });
});

test('sends a client that lags too far to the log, and keeps events without a gap', async () => {
  const { log, newest, head } = await standing(1);
  await log.say(NEWEST_MAX + 1);
  await log.say();
  await until(() => newest.since(log.events.at(-1)!.position)?.head === log.events.at(-1)!.position);
  expect(newest.since(LOG_START)).toBeNull();
  expect(newest.since(head)).toBeNull();
  const kept = log.events.slice(-NEWEST_MAX);
  const before = log.events.at(-NEWEST_MAX - 1)!.position;
  expect(positions(newest.since(before)?.events)).toEqual(positions(kept));
  expect(newest.since(log.events.at(-NEWEST_MAX - 2)!.position)).toBeNull();
  expect(positions(newest.since(kept[7]!.position)?.events)).toEqual(positions(kept.slice(8)));
});

test('reads and keeps nothing without waiting clients', async () => {
  const { log, newest, all, head } = await standing(2);
  expect(log.listening).toBe(1);
  all[0]!.leave();
  expect(log.listening).toBe(1);
  all[1]!.leave();
  expect([log.listening, newest.since(head)]).toEqual([0, null]);
  const { reads } = log;
  await log.say();
  expect(log.reads).toBe(reads);
});

test('leaves events appended between two clients to the log', async () => {
  const { log, newest, all, head } = await standing(1);
  all[0]!.leave();
  await log.say();
  const second = new Waiter(newest);
  await until(() => second.told > 0);
  expect(newest.since(head)).toBeNull();
  expect(newest.since(await log.head())?.events).toEqual([]);
});

test('an outage reaches every waiting client, and a later client reads again', async () => {
  const { log, newest, all, head } = await standing(2);
  log.isDown = true;
  await log.say();
  await until(() => all.every(({ told }) => told === 2));
  expect(() => newest.since(head)).toThrow(Unavailable);
  log.isDown = false;
  const third = new Waiter(newest);
  await until(() => third.told > 0);
  await log.say();
  await until(() => third.told > 1);
  expect(newest.since(await log.head())?.events).toEqual([]);
  expect(newest.since(log.events.at(-2)!.position)?.events).toEqual(log.events.slice(-1));
});
