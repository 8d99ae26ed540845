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

/** How many ms it took to be told that nothing came. */
async function timed(reach: () => Promise<boolean>): Promise<number> {
  const begun = performance.now();
  expect(await reach()).toBe(false);
  return performance.now() - begun;
}

test('an event that comes is reached, one that does not come is given up, and then nobody waits until one comes', async () => {
  const tail = live();
  const reached = tail.reach(2n);
  tail.take(recorded(1));
  tail.take(recorded(2));
  expect(await reached).toBe(true);
  const waited = await timed(() => tail.reach(3n));
  expect(await timed(() => tail.reach(3n))).toBeLessThan(waited / 2);
  tail.take(recorded(3));
  expect([await tail.reach(3n), tail.stream('a', 2)!.map(each => each.revision)]).toEqual([true, [2, 3]]);
});

test('who waits while the subscription is lost, or nobody listens any more, is told at once', async () => {
  const tail = live();
  const lost = tail.reach(1n);
  tail.markLost();
  expect(await lost).toBe(false);
  tail.markLive();
  const left = tail.reach(1n);
  tail.end();
  expect(await left).toBe(false);
  expect([tail.page(LOG_START, 1), tail.endOf('a'), await tail.reach(null)]).toEqual([null, undefined, false]);
});

test('what came while a stream was read counts, and what was read before a new beginning does not', () => {
  const tail = live();
  const look = tail.markRead();
  tail.take(recorded(1, 'a', 5));
  tail.ends('a', 4, look);
  expect([tail.stream('a', 6), tail.stream('a', 5)!.length, tail.stream('a', 4)]).toEqual([[], 1, null]);
  const before = tail.markRead();
  tail.begin(1n);
  tail.ends('a', 4, before);
  expect(tail.endOf('a')).toBeUndefined();
});

test('an event that was handed out already, or that is not ours, is not taken', () => {
  const tail = live(null);
  tail.take(recorded(1));
  tail.take(recorded(1));
  tail.take({ ...recorded(2), metadata: null });
  expect(tail.page(LOG_START, 10)).toMatchObject({ events: [{ revision: 1 }], next: place(1) });
  expect(tail.page(place(9), 10)).toBeNull();
});

test('of the newest events so many are kept, without a gap, and who is further behind is told so', () => {
  const newest = new NewestEvents(LOG_START, KEPT_MAX);
  for (let at = 1; at <= 20; at += 1) newest.put(stored(at, at % 2 === 0 ? 'even' : 'odd'));
  const positions = (events: StoredEvent[] | null) => events?.map(({ position }) => Number(position)) ?? null;
  expect(positions(newest.after(place(15), 10))).toBeNull();
  expect(positions(newest.after(place(16), 10))).toEqual([17, 18, 19, 20]);
  expect(positions(newest.after(place(17), 2))).toEqual([18, 19]);
  expect(positions(newest.after(place(20), 2))).toEqual([]);
  expect([newest.ofStream('even', 16), newest.ofStream('none', 0)]).toEqual([null, null]);
});

test('large events leave room for fewer', () => {
  const newest = new NewestEvents(LOG_START);
  const text = 'x'.repeat(5_000_000);
  for (let at = 1; at <= 5; at += 1) newest.put(stored(at, 'large', text));
  expect(newest.after(place(1), 10)).toBeNull();
  expect(newest.after(place(3), 10)).toHaveLength(2);
});
