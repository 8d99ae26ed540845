import { renameSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { EventStoreDbEventLog } from '#libs/event-log/eventstoredb.event-log.js';
import { SqliteEventLog } from '#libs/event-log/sqlite.event-log.js';
import { LogWentBack, WatchedLog } from '#libs/event-log/watched-log.js';
import { LOG_START } from '#libs/kernel/event.js';
import { EventStoreDouble } from '../doubles/eventstoredb/server.js';
import { MemoryLog } from '../doubles/memory-log.js';
import { event } from '../contract/samples.js';
import { temporaryFolder } from '../temporary-folder.js';
import { waitUntil } from '../wait-until.js';

const at = temporaryFolder();
const STREAM = 'job-watched';
const write = (log: WatchedLog, name: string) => log.append(STREAM, 'any', [event(STREAM, name)]);
const WENT_BACK = expect.objectContaining({ code: 'log_went_back' });

describe('a server whose log goes back under a running service', () => {
  let double: EventStoreDouble;
  let log: WatchedLog;
  beforeEach(async () => {
    double = await EventStoreDouble.start();
    log = new WatchedLog(EventStoreDbEventLog.open(double.url));
    log.wake(() => undefined);
    await write(log, 'first');
  });
  afterEach(async () => {
    await log.close();
    await double.kill();
  });

  test.each(['older', 'empty', 'other events', 'other events of the same sizes'])(
    'gets no write after it restarted with %s data',
    async kind => {
      const putBack = double.memory.copy();
      const [lost] = await write(log, 'lost');
      const count = double.memory.records.length;
      await double.kill();
      putBack();
      if (kind === 'empty') double.memory.clear();
      const others = kind.startsWith('other') ? EventStoreDbEventLog.open(double.url) : null;
      await double.restart();
      const names = kind.endsWith('sizes') ? ['else'] : ['a longer name', 'another', 'third'];
      for (const name of others ? names : []) await others!.append(STREAM, 'any', [event(STREAM, name)]);
      await others?.close();
      const before = double.memory.records.length;
      if (kind.endsWith('sizes')) expect(before).toBe(count);
      const writes = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => write(log, `late ${index}`)));
      expect(writes.every(({ status }) => status === 'rejected')).toBe(true);
      expect(await log.wentBack).toEqual(WENT_BACK);
      await expect(log.head()).rejects.toEqual(WENT_BACK);
      await expect(log.readAll(LOG_START, 10)).rejects.toThrow(`at position ${lost!.position}`);
      expect(double.memory.records.filter(({ stream }) => stream === STREAM)).toHaveLength(
        others ? names.length + 1 : kind === 'empty' ? 0 : 1,
      );
    },
    30_000,
  );

  test('is noticed by a process that only follows', async () => {
    const follower = new WatchedLog(EventStoreDbEventLog.open(double.url));
    await follower.seeEnd();
    const putBack = double.memory.copy();
    const stop = follower.wake(() => undefined);
    const before = follower.seen!;
    let lost = before;
    for (let count = 0; follower.seen!.position === before.position; count += 1) {
      lost = (await write(log, `lost ${count}`))[0]!;
      await pause(50);
    }
    await waitUntil(() => follower.seen!.id === lost.id);
    await double.kill();
    putBack();
    await double.restart();
    expect((await follower.wentBack).message).toContain(lost.id);
    stop();
    await follower.close();
  }, 30_000);

  test('is noticed by a process that has seen no event but the end at its start', async () => {
    const putBack = double.memory.copy();
    await write(log, 'lost');
    const follower = new WatchedLog(EventStoreDbEventLog.open(double.url));
    await follower.seeEnd();
    putBack();
    await expect(follower.head()).rejects.toEqual(WENT_BACK);
    await follower.close();
  }, 30_000);

  test('is noticed without a call and without a lost connection', async () => {
    const putBack = double.memory.copy();
    await write(log, 'lost');
    putBack();
    await expect(log.moment()).rejects.toEqual(WENT_BACK);
    expect(await log.wentBack).toBeInstanceOf(LogWentBack);
  }, 30_000);

  test('is an outage while it cannot be read, and goes on if nothing was lost', async () => {
    await double.kill();
    await expect(write(log, 'during')).rejects.toMatchObject({ code: 'unavailable' });
    await double.restart();
    await waitUntil(async () =>
      write(log, 'after').then(
        () => true,
        () => false,
      ),
    );
    expect(await log.head()).toBe(log.seen!.position);
  }, 30_000);
});

describe('a SQLite log', () => {
  test.each(['removed', 'replaced'])('takes no write after its file was %s', async kind => {
    const [older, path] = [at('older.db'), at('events.db')];
    const other = SqliteEventLog.open(older);
    await other.append(STREAM, 'none', [event(STREAM, 'first')]);
    await other.close();
    const log = new WatchedLog(SqliteEventLog.open(path));
    await write(log, 'first');
    await write(log, 'lost');
    if (kind === 'removed') rmSync(path);
    else renameSync(older, path);
    await expect(write(log, 'late')).rejects.toThrow('The event log was replaced or removed');
    await expect(write(log, 'later')).rejects.toEqual(WENT_BACK);
    await log.close();
  });
});

test('one contradiction is not enough if the next answer shows the event', async () => {
  const memory = new MemoryLog();
  const log = new WatchedLog(memory);
  await write(log, 'first');
  const [last] = memory.events.splice(-1);
  const head = log.head();
  memory.events.push(last!);
  expect(await head).toBe(last!.position);
  await write(log, 'second');
});
