import { expect, test } from '@jest/globals';
import {
  APPEND_BYTES_MAX,
  AppendTooLarge,
  type EventLog,
  PAGE_MAX,
  RevisionConflict,
} from '#libs/event-log/event-log.port.js';
import { LOG_START, type Position, POSITION_WIDTH } from '#libs/kernel/event.js';
import { contract, eventLogs, type Open } from './adapters.js';
import { everything, names, news, pages, wakes } from './event-log.reading.js';
import { event, events, nameOf } from './samples.js';

contract('the event log', eventLogs, open => {
  appends(open);
  repetitions(open);
  races(open);
  pages(open);
  wakes(open);
  news(open);
});

function appends(open: Open<EventLog>): void {
  test('events are read back unchanged in any script', async () => {
    const log = await open();
    const data = { text: 'für 猫 😀 \u0000 \ud800 "quoted"\n', none: null, list: [1.5, true, { deep: {} }] };
    const [first] = await log.append('muse-a', 'none', [event('muse-a', 'one', { data })]);
    const stored = { ...event('muse-a', 'one', { data }), revision: 0, position: first!.position };
    expect(first).toEqual(stored);
    expect(await log.read('muse-a')).toEqual([stored]);
    expect((await log.readAll(LOG_START, PAGE_MAX)).events).toEqual([stored]);
  });

  test('an append expects no event, a revision, or nothing', async () => {
    const log = await open();
    await log.append('a', 'none', events('a', '1', '2'));
    await log.append('a', 1, events('a', '3'));
    await log.append('a', 'any', events('a', '4'));
    await log.append('b', 'any', events('b', '1'));
    expect((await log.read('a')).map(each => [nameOf(each), each.revision])).toEqual([
      ['1', 0],
      ['2', 1],
      ['3', 2],
      ['4', 3],
    ]);
    expect((await log.read('a', 2)).map(nameOf)).toEqual(['3', '4']);
    expect((await log.read('b')).map(each => each.revision)).toEqual([0]);
  });

  test('an append at a wrong revision is refused and writes nothing', async () => {
    const log = await open();
    await log.append('a', 'none', events('a', '1', '2'));
    for (const expected of ['none', 0, 2, 99] as const)
      await expect(log.append('a', expected, events('a', 'x'))).rejects.toThrow(RevisionConflict);
    await expect(log.append('b', 0, events('b', 'x'))).rejects.toThrow(RevisionConflict);
    expect(await names(log)).toEqual(['1', '2']);
  });

  test('an append needs at least one event, a single stream and distinct ids', async () => {
    const log = await open();
    await expect(log.append('a', 'any', [])).rejects.toThrow('no event');
    await expect(log.append('a', 'any', events('b', '1'))).rejects.toThrow(/holds an event of \S*b\.$/);
    await expect(log.append('a', 'any', events('a', '1', '1'))).rejects.toThrow('an id twice');
    expect(await log.head()).toBe(LOG_START);
  });

  test('an append that is too large is refused before anything is written', async () => {
    const log = await open();
    const half = { data: { text: 'é'.repeat(APPEND_BYTES_MAX / 4) } };
    await log.append('a', 'none', [event('a', '1', half)]);
    const both = [event('a', '2', half), event('a', '3', half)];
    await expect(log.append('a', 0, both)).rejects.toThrow(AppendTooLarge);
    expect(await names(log)).toEqual(['1']);
  });

  test('appended events survive closing', async () => {
    const log = await open();
    const stored = await log.append('a', 'none', events('a', '1', '2'));
    await log.close();
    const again = await open();
    expect(await again.read('a')).toEqual(stored);
    expect(await again.head()).toBe(stored[1]!.position);
    expect((await again.append('a', 1, events('a', '3')))[0]!.revision).toBe(2);
  });

  test('pending appends are written before the log closes', async () => {
    const log = await open();
    const appended = Promise.all(['a', 'b'].map(stream => log.append(stream, 'none', events(stream, '1'))));
    await log.close();
    await appended;
    expect(await names(await open())).toHaveLength(2);
  });
}

function repetitions(open: Open<EventLog>): void {
  test('a repeated append writes nothing and returns the stored events', async () => {
    const log = await open();
    const stored = await log.append('a', 'none', events('a', '1', '2'));
    await log.append('a', 1, events('a', '3'));
    const others = events('a', '1', '2').map(each => ({ ...each, data: { from: 'another caller' }, at: 7 }));
    for (const expected of ['none', 'any', 0, 1, 2, 99] as const)
      expect(await log.append('a', expected, others)).toEqual(stored);
    expect(await log.append('a', 'none', [others[0]!])).toEqual([stored[0]]);
    expect(await names(log)).toEqual(['1', '2', '3']);
  });

  test('an append with only some known ids is a conflict', async () => {
    const log = await open();
    await log.append('a', 'none', events('a', '1'));
    for (const expected of ['none', 'any', 0] as const)
      await expect(log.append('a', expected, events('a', '1', '2'))).rejects.toThrow(RevisionConflict);
    expect(await names(log)).toEqual(['1']);
  });

  test('an id is unique only within its stream', async () => {
    const log = await open();
    await log.append('a', 'none', events('a', '1'));
    expect(await log.append('b', 'none', events('b', '1'))).toMatchObject([{ stream: 'b', revision: 0 }]);
  });

  test('concurrent identical appends from two instances write once', async () => {
    const logs = [await open(), await open()];
    const answers = await Promise.all(
      logs.flatMap(log => [log, log]).map(log => log.append('a', 'none', events('a', '1'))),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await names(logs[0]!)).toEqual(['1']);
  });
}

function races(open: Open<EventLog>): void {
  test('exactly one of many concurrent appends at a revision succeeds', async () => {
    const logs = [await open(), await open()];
    for (let round = 0; round < 5; round += 1) {
      const tries = Array.from({ length: 40 }, (_, index) =>
        logs[index % 2]!.append('a', round === 0 ? 'none' : round - 1, events('a', `${round}-${index}`)),
      );
      const outcomes = await Promise.allSettled(tries);
      expect(outcomes.filter(each => each.status === 'fulfilled')).toHaveLength(1);
      for (const each of outcomes) if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(RevisionConflict);
    }
    expect((await logs[0]!.read('a')).map(each => each.revision)).toEqual([0, 1, 2, 3, 4]);
  });

  test('a conflict fails only its own append within a shared commit', async () => {
    const log = await open();
    const [good, bad, other] = await Promise.allSettled([
      log.append('a', 'none', events('a', '1')),
      log.append('a', 'none', events('a', '2')),
      log.append('b', 'none', events('b', '1')),
    ]);
    expect([good.status, bad.status, other.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  test('200 concurrent appends have ascending positions and gapless revisions', async () => {
    const logs = [await open(), await open()];
    const streams = Array.from({ length: 200 }, (_, index) => `s${index % 10}`);
    await Promise.all(
      streams.map((stream, index) => logs[index % 2]!.append(stream, 'any', events(stream, `${index}`))),
    );
    const all = await everything(logs[0]!, 7);
    expect(all).toHaveLength(200);
    expect(all.map(each => each.position)).toEqual([...new Set(all.map(each => each.position))].sort());
    for (const { position } of all) expect(position).toHaveLength(POSITION_WIDTH);
    for (const stream of new Set(streams))
      expect((await logs[1]!.read(stream)).map(each => each.revision)).toEqual(
        Array.from({ length: 20 }, (_, at) => at),
      );
  });

  test('a returned position is final, and no smaller one appears later', async () => {
    const logs = [await open(), await open()];
    const seen: Position[] = [];
    let next = LOG_START;
    const appended = Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        later(index % 7, () => logs[index % 2]!.append(`s${index}`, 'none', events(`s${index}`, '1'))),
      ),
    ).then(() => (logs.length = 0));
    for (const reader = await open(); logs.length > 0 || seen.length < 60; await later(0, async () => {})) {
      const page = await reader.readAll(next, 10);
      seen.push(...page.events.map(each => each.position));
      next = page.next;
    }
    await appended;
    expect(seen).toHaveLength(60);
    expect(seen).toEqual([...seen].sort());
  });
}

function later<T>(ms: number, work: () => Promise<T>): Promise<T> {
  return new Promise<void>(resolve => setTimeout(resolve, ms)).then(work);
}
