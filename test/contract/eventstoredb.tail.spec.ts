import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { EventStoreDbEventLog } from '#libs/event-log/eventstoredb.event-log.js';
import { LOG_START } from '#libs/kernel/event.js';
import { type CallCounts, callsBetween } from '../doubles/eventstoredb/call-counts.js';
import { EventStoreDouble } from '../doubles/eventstoredb/server.js';
import { until } from '../unit/documents/bench.js';
import { events, nameOf } from './samples.js';

const TIMEOUT_MS = 600;
const SILENT_MS = 1_000;
let double: EventStoreDouble;
let log: EventStoreDbEventLog;
let other: EventStoreDbEventLog;

beforeEach(async () => {
  double = await EventStoreDouble.start();
  log = EventStoreDbEventLog.open(double.url, { timeoutMs: TIMEOUT_MS });
  other = EventStoreDbEventLog.open(double.url, { timeoutMs: TIMEOUT_MS });
  await other.append('a', 'none', events('a', '1'));
  await new Promise<void>(stands => log.wake(stands));
});
afterEach(async () => {
  await Promise.all([log.close(), other.close()]);
  await double.kill();
});

/** Counts the server calls of some work. */
async function callsOf(work: () => Promise<unknown>): Promise<Partial<CallCounts>> {
  const before = { ...double.faults.calls };
  await work();
  const calls = callsBetween(before, double.faults.calls);
  return Object.fromEntries(Object.entries(calls).filter(([, count]) => count > 0));
}

test('an append to a new stream is a single call and returns the stored events', async () => {
  let answer: unknown;
  expect(await callsOf(async () => (answer = await log.append('b', 'none', events('b', '1', '2'))))).toEqual({
    append: 1,
  });
  expect(answer).toEqual(await other.read('b'));
  expect(await callsOf(() => log.append('b', 1, events('b', '3')))).toEqual({ append: 1 });
});

test('a stream is read once, and later events of other processes appear at once', async () => {
  await log.read('a');
  expect(await callsOf(() => log.read('a', 1))).toEqual({ backwards: 1 });
  for (const name of ['2', '3', '4']) {
    await other.append('a', 'any', events('a', name));
    expect((await log.read('a', Number(name) - 1)).map(nameOf)).toEqual([name]);
  }
  expect(await callsOf(() => log.read('a', 1, 2))).toEqual({ backwards: 1 });
  expect((await log.read('a', 1, 2)).map(nameOf)).toEqual(['2', '3']);
  expect((await log.read('a')).map(nameOf)).toEqual(['1', '2', '3', '4']);
});

test('an unknown stream is remembered as absent until its first event', async () => {
  expect(await log.read('new')).toEqual([]);
  expect(await callsOf(async () => expect(await log.read('new')).toEqual([]))).toEqual({ backwards: 1 });
  await other.append('new', 'none', events('new', '1'));
  expect(await log.read('new')).toHaveLength(1);
});

test('concurrent readers share one request for the head', async () => {
  const streams = Array.from({ length: 50 }, (_, at) => `s${at}`);
  await Promise.all(streams.map(stream => log.append(stream, 'none', events(stream, '1'))));
  const calls = await callsOf(() => Promise.all([...streams, ...streams].map(stream => log.read(stream, 1))));
  expect(calls).toEqual({ backwards: 1 });
});

test('reads at a known moment ask for no head', async () => {
  await Promise.all([log.read('a'), log.read('b')]);
  const calls = await callsOf(async () => {
    const moment = await log.moment();
    for (const stream of ['a', 'b', 'a']) await log.read(stream, 1, 10, moment);
  });
  expect(calls).toEqual({ backwards: 1 });
});

test('followers read no pages and share one check for news a second on an idle log', async () => {
  const { next } = await log.readAll(LOG_START, 10);
  await log.append('b', 'none', events('b', '1', '2'));
  const followers = Array.from({ length: 20 }, () => [...'x']);
  expect(await callsOf(() => Promise.all(followers.map(types => log.readNews(next, 10, types))))).toEqual({});
  expect((await log.readNews(next, 10)).events.map(nameOf)).toEqual(['1', '2']);
  const head = await log.head();
  await new Promise(resolve => setTimeout(resolve, SILENT_MS));
  expect(await callsOf(() => Promise.all(followers.map(() => log.readNews(head, 10))))).toEqual({ backwards: 1 });
});

test('a broken connection loses no events and returns no stale ones', async () => {
  await log.read('a');
  double.cut();
  await other.append('a', 'any', events('a', '2')).catch(() => other.append('a', 'any', events('a', '2')));
  expect((await log.read('a')).map(nameOf)).toEqual(['1', '2']);
  await until(() => double.openReads === 1);
  await other.append('a', 'any', events('a', '3'));
  expect((await log.read('a', 1)).map(nameOf)).toEqual(['2', '3']);
  expect(await callsOf(() => log.read('a', 1))).toEqual({ backwards: 1 });
});

test('a burst that drops the subscription leaves no gap in the cache', async () => {
  await log.read('a');
  const names = Array.from({ length: 250 }, (_, at) => `burst ${at}`);
  await other.append('a', 0, events('a', ...names));
  expect((await log.read('a', 1)).map(nameOf)).toEqual(names);
  expect((await log.readNews(LOG_START, 1_000)).events).toHaveLength(251);
});

test('a refused subscription is retried with growing pauses', async () => {
  const calls = await callsOf(async () => {
    double.faults.always('not-ready');
    double.cut();
    await new Promise(resolve => setTimeout(resolve, SILENT_MS));
    double.faults.always(null);
  });
  expect(calls.subscription).toBeGreaterThan(1);
  expect(calls.subscription).toBeLessThan(10);
  await until(() => double.openReads === 1);
});
