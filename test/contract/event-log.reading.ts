import { expect, test } from '@jest/globals';
import { type EventLog, PAGE_MAX, SCAN_MAX } from '#libs/event-log/event-log.port.js';
import { LOG_START, type Position, POSITION_MAX, type StoredEvent } from '#libs/kernel/event.js';
import type { Open } from './adapters.js';
import { event, events, nameOf } from './samples.js';

/** Allows for more than 20,000 events, also over a socket. */
const MANY_EVENTS_TIMEOUT_MS = 90_000;

/** Larger than any position: 2^63, and 2^64 plus a small number. */
const TOO_LARGE = ['09223372036854775808', '18446744073709552349', '9'.repeat(LOG_START.length)];

export function pages(open: Open<EventLog>): void {
  test('the log is read in pages in the order of writing', async () => {
    const log = await open();
    for (const id of ['1', '2', '3', '4', '5']) await log.append(`s${id}`, 'none', events(`s${id}`, id));
    const first = await log.readAll(LOG_START, 2);
    expect(first.events.map(nameOf)).toEqual(['1', '2']);
    expect(first.next).toBe(first.events[1]!.position);
    const rest = await log.readAll(first.next, 10);
    expect(rest.events.map(nameOf)).toEqual(['3', '4', '5']);
    expect(rest.next).toBe(await log.head());
    expect(await log.readAll(rest.next, 10)).toEqual({ events: [], next: rest.next });
  });

  test('a step back leads to the position before a number of events', async () => {
    const log = await open();
    for (const id of ['1', '2', '3', '4', '5']) await log.append(`s${id}`, 'none', events(`s${id}`, id));
    const namesOf = async (from: Position, count: number) => {
      const { events: read } = await log.readAll(await log.stepBack(from, count), 10);
      return read.filter(({ position }) => position <= from).map(nameOf);
    };
    const head = await log.head();
    expect(await namesOf(head, 2)).toEqual(['4', '5']);
    expect(await namesOf(await log.stepBack(head, 2), 2)).toEqual(['2', '3']);
    expect(await namesOf(head, 5)).toEqual(['1', '2', '3', '4', '5']);
    expect([await log.stepBack(head, 5), await log.stepBack(head, 500), await log.stepBack(LOG_START, 1)]).toEqual(
      Array(3).fill(LOG_START),
    );
  });

  test('the log holds the positions it returned and none after its end', async () => {
    const log = await open();
    expect([await log.holds(LOG_START), await log.holds(POSITION_MAX)]).toEqual([true, false]);
    const [first] = await log.append('s', 'none', events('s', '1', '2'));
    expect([await log.holds(LOG_START), await log.holds(first!.position), await log.holds(await log.head())]).toEqual(
      Array(3).fill(true),
    );
    const { next } = await log.readAll(await log.head(), 1);
    expect(await log.holds(next)).toBe(true);
    for (const position of [POSITION_MAX, ...TOO_LARGE])
      expect([position, await log.holds(position)]).toEqual([position, false]);
  });

  test('a type filter returns matching events, and next is the position that was scanned', async () => {
    const log = await open();
    const kinds = ['Posted', 'Paid', 'Posted', 'Hired', 'Posted'];
    for (const [at, type] of kinds.entries()) await log.append(`s${at}`, 'none', [event(`s${at}`, `${at}`, { type })]);
    const first = await log.readAll(LOG_START, 2, ['Paid', 'Posted']);
    expect(first.events.map(nameOf)).toEqual(['0', '1']);
    expect(first.next).toBe(first.events[1]!.position);
    const rest = await log.readAll(first.next, 10, ['Paid', 'Posted']);
    expect(rest.events.map(nameOf)).toEqual(['2', '4']);
    expect(await log.readAll(LOG_START, 10, ['Never'])).toMatchObject({ events: [], next: await log.head() });
    expect(await log.readAll(LOG_START, 10, [])).toMatchObject({ events: [], next: await log.head() });
  });

  test(
    'a page scans a bounded part of the log, and the next page continues after it',
    async () => {
      const log = await open();
      const batches = Math.ceil((SCAN_MAX + 10) / 500);
      for (let batch = 0; batch < batches; batch += 1) {
        const ids = Array.from({ length: 500 }, (_, index) => `${batch}-${index}`);
        await log.append(`s${batch}`, 'none', events(`s${batch}`, ...ids));
      }
      await log.append('last', 'none', [event('last', '1', { type: 'Rare' })]);
      const first = await log.readAll(LOG_START, 1, ['Rare']);
      expect(first.events).toEqual([]);
      expect(first.next > LOG_START && first.next < (await log.head())).toBe(true);
      expect((await log.readAll(first.next, 1, ['Rare'])).events.map(each => each.stream)).toEqual(['last']);
    },
    MANY_EVENTS_TIMEOUT_MS,
  );

  test('a limited read of a stream leaves later reads complete', async () => {
    const log = await open();
    await log.append('a', 'none', events('a', '1', '2', '3', '4'));
    expect((await log.read('a', 0, 1)).map(nameOf)).toEqual(['1']);
    expect((await log.read('a', 1)).map(nameOf)).toEqual(['2', '3', '4']);
    expect((await log.read('a', 1, 2)).map(nameOf)).toEqual(['2', '3']);
    expect((await log.read('a', 3, 2)).map(nameOf)).toEqual(['4']);
    for (const from of [9, 4]) expect(await log.read('a', from, 1)).toEqual([]);
    await log.append('a', 3, events('a', '5'));
    expect((await log.read('a', 4, 1)).map(nameOf)).toEqual(['5']);
    expect((await log.read('a', 0, 10)).map(nameOf)).toEqual(['1', '2', '3', '4', '5']);
  });

  test('a page has a limit of 1 to 5,000', async () => {
    const log = await open();
    for (const limit of [0, -1, 1.5, PAGE_MAX + 1, Number.NaN])
      await expect(log.readAll(LOG_START, limit)).rejects.toThrow(RangeError);
  });

  test('an empty log has its head at the start, and an unknown stream is empty', async () => {
    const log = await open();
    expect(await log.head()).toBe(LOG_START);
    expect(await log.readAll(LOG_START, 10)).toEqual({ events: [], next: LOG_START });
    expect(await log.readAll(LOG_START, 10, ['Posted'])).toMatchObject({ events: [], next: LOG_START });
    expect(await log.read('nothing')).toEqual([]);
  });
}

export function wakes(open: Open<EventLog>): void {
  test('a listener is woken by appends of its own and of another instance', async () => {
    const [here, there] = [await open(), await open()];
    for (const [at, log] of [here, there].entries()) {
      const woken = new Promise<void>(resolve => here.wake(resolve));
      await log.append(`s${at}`, 'none', events(`s${at}`, '1'));
      await woken;
      expect(await here.head()).toBe(await there.head());
    }
  });

  test('a listener that returns is woken by an append it missed', async () => {
    const [here, there] = [await open(), await open()];
    here.wake(() => {})();
    await there.append('a', 'none', events('a', '1'));
    await new Promise<void>(resolve => here.wake(resolve));
  });

  test('a stopped listener is not woken', async () => {
    const log = await open();
    let called = 0;
    const stop = log.wake(() => (called += 1));
    stop();
    const woken = new Promise<void>(resolve => log.wake(resolve));
    await log.append('a', 'none', events('a', '1'));
    await woken;
    expect(called).toBe(0);
  });
}

export function news(open: Open<EventLog>): void {
  test('a follower gets every event once and in order, from every writer', async () => {
    const [here, there] = [await open(), await open()];
    const seen: StoredEvent[] = [];
    let woken: () => void = () => undefined;
    here.wake(() => woken());
    await there.append('before', 'none', events('before', '1'));
    const appending = Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        [here, there][at % 2]!.append(`s${at % 7}`, 'any', events(`s${at % 7}`, `${at}`)),
      ),
    );
    for (let next = LOG_START; seen.length < 61;) {
      const awake = new Promise<void>(resolve => (woken = resolve));
      const page = await here.readNews(next, 7);
      seen.push(...page.events);
      if (page.next === next) await awake;
      next = page.next;
    }
    await appending;
    expect(seen).toEqual(await everything(here, PAGE_MAX));
    expect(await here.readNews(seen.at(-1)!.position, 7)).toEqual({ events: [], next: await here.head() });
  });

  test('a read at a moment has all earlier events and later ones of its own instance', async () => {
    const [here, there] = [await open(), await open()];
    await here.append('a', 'none', events('a', '0'));
    for (const at of [1, 2, 3, 4, 5]) {
      await here.read('a');
      await there.append('a', 'any', events('a', `${at} there`));
      const moment = await here.moment();
      const names = async () => (await here.read('a', 2 * at - 1, 10, moment)).map(nameOf);
      expect(await names()).toEqual([`${at} there`]);
      await here.append('a', 'any', events('a', `${at} here`));
      expect(await names()).toEqual([`${at} there`, `${at} here`]);
    }
  });

  test('news have the limits of a page and its type filter', async () => {
    const log = await open();
    log.wake(() => undefined);
    for (const limit of [0, PAGE_MAX + 1]) await expect(log.readNews(LOG_START, limit)).rejects.toThrow(RangeError);
    for (const [at, type] of ['Posted', 'Paid', 'Posted', 'Paid'].entries())
      await log.append(`s${at}`, 'none', [event(`s${at}`, `${at}`, { type })]);
    const first = await log.readNews(LOG_START, 1, ['Paid']);
    expect(first.events.map(nameOf)).toEqual(['1']);
    const rest = await log.readNews(first.next, 5, ['Paid']);
    expect([rest.events.map(nameOf), rest.next]).toEqual([['3'], await log.head()]);
  });
}

/** Reads the whole log in pages. */
export async function everything(log: EventLog, limit: number): Promise<StoredEvent[]> {
  const all: StoredEvent[] = [];
  for (let next = LOG_START; ;) {
    const page = await log.readAll(next, limit);
    if (page.events.length === 0) return all;
    all.push(...page.events);
    next = page.next;
  }
}

export async function names(log: EventLog): Promise<string[]> {
  return (await everything(log, PAGE_MAX)).map(nameOf);
}
