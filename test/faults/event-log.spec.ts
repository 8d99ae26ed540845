import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { EventStoreDbEventLog } from '#libs/event-log/eventstoredb.event-log.js';
import { AppendTooLarge, RevisionConflict } from '#libs/event-log/event-log.port.js';
import { LOG_START } from '#libs/kernel/event.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { EventStoreDouble } from '../doubles/eventstoredb/server.js';
import { event, events, idOf, nameOf } from '../contract/samples.js';
import { waitUntil } from '../wait-until.js';

/** Tests faults that only EventStoreDB has, on a double of its server. */
const TIMEOUT_MS = 1_000;
let double: EventStoreDouble;
let log: EventStoreDbEventLog;

beforeEach(async () => {
  double = await EventStoreDouble.start();
  log = EventStoreDbEventLog.open(double.url, { timeoutMs: TIMEOUT_MS });
});
afterEach(async () => {
  await log.close();
  await double.kill();
});

const stored = (stream = 'a') => (double.memory.stream(stream) ?? []).map(nameOf);
const one = (name = '1') => log.append('a', 'none', events('a', name));

test.each(['dropped', 'unanswered', 'cut', 'not-ready'] as const)(
  'an append whose request was %s is retried and stored once',
  async fault => {
    await log.append('a', 'none', events('a', '0'));
    double.faults.plan('append', fault);
    const [answer] = await log.append('a', 0, events('a', '1'));
    expect(answer).toMatchObject({ id: idOf('1'), revision: 1 });
    expect(stored()).toEqual(['0', '1']);
  },
);

test('an append that was stored late, after another append, is found by its ids', async () => {
  double.faults.plan('append', 'unanswered');
  const appended = one();
  const other = EventStoreDbEventLog.open(double.url);
  await waitUntil(() => stored().length > 0);
  await other.append('a', 0, events('a', '2'));
  expect(await appended).toMatchObject([{ id: idOf('1'), revision: 0 }]);
  expect(stored()).toEqual(['1', '2']);
  await other.close();
});

test('an append without a response is an outage, and its repetition succeeds', async () => {
  double.faults.always('unanswered');
  await expect(one()).rejects.toThrow(Unavailable);
  double.faults.always(null);
  expect(await one()).toMatchObject([{ revision: 0 }]);
  expect(stored()).toEqual(['1']);
});

test('confirms an acknowledged append during an outage of reads', async () => {
  double.faults.plan('read', 'not-ready', 'not-ready', 'not-ready');
  const answer = await log.append('a', 'none', events('a', '1', '2'));
  expect(double.faults.requests).toEqual({ append: 1, read: 3 });
  const there = await log.read('a');
  expect(answer).toMatchObject([{ revision: 0, data: there[0]!.data }, there[1]!]);
  expect(answer[0]!.position < answer[1]!.position).toBe(true);
  expect(await log.append('a', 1, events('a', '3'))).toMatchObject([{ revision: 2 }]);
  expect(stored()).toEqual(['1', '2', '3']);
});

test('a response that comes after its append was given up does no harm', async () => {
  double.faults.plan('append', { delayMs: 2 * TIMEOUT_MS });
  const other = EventStoreDbEventLog.open(double.url);
  const appended = one();
  await other.append('b', 'none', events('b', '1'));
  // The client cancels the pending appends of all its instances when one of them breaks.
  await other.close();
  await appended;
  await soon(3 * TIMEOUT_MS);
  expect(stored()).toEqual(['1']);
});

test('known ids are not written again at the current revision by any reader', async () => {
  await one();
  const other = EventStoreDbEventLog.open(double.url);
  const same = [event('a', '1', { data: { from: 'another caller' } })];
  expect(await other.append('a', 0, same)).toMatchObject([{ revision: 0, data: { title: 'A page' } }]);
  expect(await log.append('a', 0, same)).toMatchObject([{ revision: 0, data: { title: 'A page' } }]);
  expect(stored()).toEqual(['1']);
  await other.close();
});

test('a repetition that the server confirms returns the stored event', async () => {
  await one();
  const same = [event('a', '1', { data: { from: 'another caller' } })];
  expect(await log.append('a', 'none', same)).toMatchObject([{ data: { title: 'A page' } }]);
});

test('a batch with some known ids is a conflict', async () => {
  await log.append('a', 'none', events('a', '1', '2'));
  await expect(log.append('a', 'none', events('a', '1', '3'))).rejects.toThrow(RevisionConflict);
  expect(await log.append('a', 'none', events('a', '1'))).toMatchObject([{ revision: 0 }]);
});

test('an append is complete or absent, and acknowledged ones survive a kill', async () => {
  const batches = Array.from({ length: 30 }, (_, at) => `s${at}`);
  const appended = batches.map(stream => log.append(stream, 'none', events(stream, '1', '2', '3')));
  await appended[0];
  await double.kill();
  const outcomes = await Promise.allSettled(appended);
  for (const { status, reason } of outcomes.map(each => ({ reason: null, ...each })))
    if (status === 'rejected') expect(reason).toBeInstanceOf(Unavailable);
  await double.restart();
  for (const [at, stream] of batches.entries()) {
    expect([0, 3]).toContain(stored(stream).length);
    if (outcomes[at]!.status === 'fulfilled') expect(stored(stream)).toHaveLength(3);
  }
});

test('an unreachable server is an outage of every method and is used again later', async () => {
  await one();
  await double.kill();
  for (const call of [() => one('2'), () => log.read('a'), () => log.readAll(LOG_START, 1), () => log.head()])
    await expect(call()).rejects.toThrow(Unavailable);
  await double.restart();
  expect(await log.append('a', 0, events('a', '2'))).toMatchObject([{ revision: 1 }]);
  expect(await log.read('a')).toHaveLength(2);
});

test('a server without responses is an outage within the timeout', async () => {
  double.faults.always('dropped');
  const begun = performance.now();
  await expect(log.read('a')).rejects.toThrow(Unavailable);
  expect(performance.now() - begun).toBeLessThan(20 * TIMEOUT_MS);
});

test('system events of the server appear neither in pages nor as the head', async () => {
  double.memory.writeOwn(3);
  const [first] = await one();
  double.memory.writeOwn(1_500);
  expect(await log.head()).toBe(first!.position);
  const page = await log.readAll(LOG_START, 10);
  expect(page.events).toEqual([first]);
  expect((await log.readAll(page.next, 10)).events).toEqual([]);
  const [second] = await log.append('a', 0, events('a', '2'));
  double.memory.writeOwn(2);
  expect(await log.head()).toBe(second!.position);
  expect(await log.readAll(page.next, 10)).toEqual({ events: [second], next: second!.position });
  await expect(log.append('$x', 'none', events('$x', '1'))).rejects.toThrow('the server');
});

test('a filtered read far from the head is filtered by the server and complete', async () => {
  for (let at = 0; at < 3; at += 1) {
    const names = Array.from({ length: 300 }, (_, index) => `${at}-${index}`);
    await log.append(`s${at}`, 'none', events(`s${at}`, ...names));
    await log.append(`t${at}`, 'none', [event(`t${at}`, `${at}`, { type: at === 1 ? 'Posted2' : 'Paid' })]);
  }
  const page = await log.readAll(LOG_START, 10, ['Paid', 'Never (.*)']);
  expect(page.events.map(each => each.stream)).toEqual(['t0', 't2']);
  expect(page.next).toBe(await log.head());
  expect((await log.readAll(LOG_START, 1, ['Paid'])).next).toBe(page.events[0]!.position);
});

test('a subscription dropped as too slow is renewed, and listeners are woken', async () => {
  let woken = 0;
  log.wake(() => (woken += 1));
  await waitUntil(() => double.openReads === 1 && woken > 0);
  const before = double.faults.requests.read;
  double.memory.append(
    'burst',
    'any',
    Array.from({ length: 250 }, (_, at) => raw(`${at}`)),
  );
  await waitUntil(() => double.faults.requests.read > before && double.openReads === 1);
  const after = woken;
  await log.append('a', 'none', events('a', '1'));
  await waitUntil(() => woken > after);
  expect((await log.readAll(LOG_START, 1_000)).events).toHaveLength(251);
});

test.each(['kill', 'terminate'] as const)('after a %s of the server a listener is woken again', async way => {
  let woken = 0;
  log.wake(() => (woken += 1));
  await waitUntil(() => double.openReads === 1);
  await double[way]();
  await soon(TIMEOUT_MS);
  await double.restart();
  await waitUntil(() => double.openReads === 1);
  const before = woken;
  await log.append('a', 'none', events('a', '1'));
  await waitUntil(() => woken > before);
});

test('a failing subscription wakes listeners, so that they read pages', async () => {
  double.faults.always('dropped');
  let woken = 0;
  log.wake(() => (woken += 1));
  await waitUntil(() => woken >= 2);
  double.faults.always(null);
});

test('closing ends all calls, even after a partial read or during a subscription', async () => {
  await log.append('a', 'none', events('a', ...Array.from({ length: 900 }, (_, at) => `${at}`)));
  await log.readAll(LOG_START, 1, ['Posted']);
  await log.head();
  await waitUntil(() => double.openReads === 0);
  log.wake(() => undefined);
  await waitUntil(() => double.openReads === 1);
  const begun = performance.now();
  await log.close();
  expect(performance.now() - begun).toBeLessThan(20 * TIMEOUT_MS);
  await waitUntil(() => double.openReads === 0);
  await expect(one('2')).rejects.toThrow(Unavailable);
});

test('an append above the lower limit of a server is refused as too large', async () => {
  // The server counts the type twice.
  const long = { type: 'T'.repeat(90_000), data: { text: 'x'.repeat(880_000) } };
  const refused = log.append('a', 'none', [event('a', '1', long)]);
  await expect(refused).rejects.toThrow(AppendTooLarge);
  await expect(refused).rejects.toThrow(/^An append of 97\d+ bytes to a is refused .*--max-append-size is 1048576\.$/);
  expect(stored()).toEqual([]);
});

test('a lost connection during many appends ends no process', async () => {
  const patient = EventStoreDbEventLog.open(double.url, { timeoutMs: 20 * TIMEOUT_MS });
  double.faults.plan('append', ...Array.from({ length: 40 }, () => null), 'cut');
  const streams = Array.from({ length: 200 }, (_, at) => `s${at}`);
  await Promise.all(streams.map(stream => patient.append(stream, 'none', events(stream, '1'))));
  for (const stream of streams) expect(stored(stream)).toEqual(['1']);
  await patient.close();
});

function raw(name: string) {
  const { id, type, data, stream: _, ...metadata } = event('burst', name);
  const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));
  return { id, type, contentType: 'application/json', data: bytes(data), metadata: bytes(metadata) };
}

const soon = (timeoutMs: number) => new Promise(resolve => setTimeout(resolve, timeoutMs));
