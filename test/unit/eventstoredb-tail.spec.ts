import { expect, test } from '@jest/globals';
import { NewestEvents } from '#libs/event-log/newest-events.js';
import { LogTail } from '#libs/event-log/eventstoredb.tail.js';
import { encode, type ServerRecord } from '#libs/event-log/eventstoredb.records.js';
import { LOG_START, type StoredEvent } from '#libs/kernel/event.js';
import { event } from '../contract/samples.js';

const KEPT_MAX = 4;

const recorded = (commit: number, stream = 'a', revision = commit): ServerRecord => ({
  ...encode(stream, [event(stream, `${commit}`)])[0]!,
  stream,
  revision,
  commit: BigInt(commit),
});
const place = (commit: number) => String(commit).padStart(LOG_START.length, '0');
const stored = (commit: number, stream = 'a', text = ''): StoredEvent => ({
  ...event(stream, `${commit}`, { data: { text } }),
  revision: commit,
  position: place(commit),
});

function live(commit: bigint | null = 0n): LogTail {
  const tail = new LogTail();
  tail.begin(commit);
  tail.markLive();
  return tail;
}

/** Milliseconds until `reach` returned false. */
async function timed(reach: () => Promise<boolean>): Promise<number> {
  const begun = performance.now();
  expect(await reach()).toBe(false);
  return performance.now() - begun;
}

test('waits for an event until a timeout, then not again until another event arrives', async () => {
  const tail = live();
  const reached = tail.reach(2n);
  tail.take(recorded(1));
  tail.take(recorded(2));
  expect(await reached).toBe(true);
  const waited = await timed(() => tail.reach(3n));
  expect(await timed(() => tail.reach(3n))).toBeLessThan(waited / 2);
  tail.take(recorded(3));
  expect([await tail.reach(3n), tail.ofStream('a', 2)!.map(each => each.revision)]).toEqual([true, [2, 3]]);
});

test('a wait ends at once if the subscription is lost or the tail ends', async () => {
  const tail = live();
  const lost = tail.reach(1n);
  tail.markLost();
  expect(await lost).toBe(false);
  tail.markLive();
  const left = tail.reach(1n);
  tail.end();
  expect(await left).toBe(false);
  expect([tail.page(LOG_START, 1), tail.ofStream('a', 9), await tail.reach(null)]).toEqual([null, null, false]);
});

test('uses events that arrive during a read, and drops reads before a restart', () => {
  const tail = live();
  const look = tail.markRead();
  tail.take(recorded(1, 'a', 5));
  tail.noteEnd('a', 4, look);
  expect([tail.ofStream('a', 6), tail.ofStream('a', 5)!.length, tail.ofStream('a', 4)]).toEqual([[], 1, null]);
  const before = tail.markRead();
  tail.begin(1n);
  tail.noteEnd('a', 4, before);
  expect(tail.ofStream('a', 9)).toBeNull();
});

test('ignores duplicate and foreign events', () => {
  const tail = live(null);
  tail.take(recorded(1));
  tail.take(recorded(1));
  tail.take({ ...recorded(2), metadata: null });
  expect(tail.page(LOG_START, 10)).toMatchObject({ events: [{ revision: 1 }], next: place(1) });
  expect(tail.page(place(9), 10)).toBeNull();
});

test('keeps the newest events without a gap, and returns null for older positions', () => {
  const newest = new NewestEvents(LOG_START, KEPT_MAX);
  for (let at = 1; at <= 20; at += 1) newest.put(stored(at, at % 2 === 0 ? 'even' : 'odd'));
  const positions = (after: string, limit: number) =>
    newest.page(place(20), after, limit)?.events.map(({ position }) => Number(position)) ?? null;
  expect(positions(place(15), 10)).toBeNull();
  expect(positions(place(16), 10)).toEqual([17, 18, 19, 20]);
  expect(positions(place(17), 2)).toEqual([18, 19]);
  expect(positions(place(20), 2)).toEqual([]);
  expect([newest.ofStream('even', 16), newest.ofStream('none', 0)]).toEqual([null, null]);
});

test('keeps fewer large events', () => {
  const newest = new NewestEvents(LOG_START);
  const text = 'x'.repeat(5_000_000);
  for (let at = 1; at <= 5; at += 1) newest.put(stored(at, 'large', text));
  expect(newest.page(place(5), place(1), 10)).toBeNull();
  expect(newest.page(place(5), place(3), 10)!.events).toHaveLength(2);
});
