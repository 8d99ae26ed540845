import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { SqliteEventLog } from '#libs/event-log/sqlite.event-log.js';
import { type Position, LOG_START } from '#libs/kernel/event.js';
import { events } from './samples.js';

/** More events than the cache holds. */
const MANY = 1_100;
let folder = '';
const open: SqliteEventLog[] = [];

function connect(): SqliteEventLog {
  const log = SqliteEventLog.open(join(folder, 'events.db'));
  open.push(log);
  return log;
}

const idsBehind = async (log: SqliteEventLog, after: Position) =>
  (await log.readNews(after, 5_000)).events.map(({ id }) => id);
const idsOf = (stream: string, name: string) => events(stream, name).map(({ id }) => id);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'news-'));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map(log => log.close()));
  rmSync(folder, { recursive: true });
});

test('a follower in the appending process gets the identical events', async () => {
  const log = connect();
  const [own] = await log.append('a', 'none', events('a', '1'));
  const { events: told, next } = await log.readNews(LOG_START, 10);
  expect(told[0]).toBe(own);
  expect(next).toBe(own!.position);
  expect(await log.readNews(next, 10)).toEqual({ events: [], next });
});

test('events of other processes appear in order between those of this process', async () => {
  const [here, there] = [connect(), connect()];
  await here.append('a', 'none', events('a', '1'));
  const { next } = await here.readNews(LOG_START, 10);
  await there.append('b', 'none', events('b', '1'));
  await here.append('a', 0, events('a', '2'));
  expect(await idsBehind(here, next)).toEqual([...idsOf('b', '1'), ...idsOf('a', '2')]);
});

test('a repeated append hides no later events of other processes', async () => {
  const [here, there] = [connect(), connect()];
  const [first] = await there.append('a', 'none', events('a', '1'));
  await there.append('b', 'none', events('b', '1'));
  await here.readNews(LOG_START, 10);
  await here.append('a', 'none', events('a', '1'));
  expect(await idsBehind(here, first!.position)).toEqual(idsOf('b', '1'));
});

test('a follower at a position older than the cache reads from the file', async () => {
  const log = connect();
  const names = Array.from({ length: MANY }, (_, at) => `${at}`);
  await Promise.all(names.map(name => log.append(`s${name}`, 'none', events(`s${name}`, name))));
  const { events: all } = await log.readAll(LOG_START, 5_000);
  expect(all).toHaveLength(MANY);
  expect(await idsBehind(log, LOG_START)).toEqual(all.map(({ id }) => id));
  expect(await idsBehind(log, all.at(-3)!.position)).toEqual(all.slice(-2).map(({ id }) => id));
});

test('a refused append is not news', async () => {
  const log = connect();
  await Promise.allSettled(['1', '2'].map(name => log.append('a', 'none', events('a', name))));
  expect(await idsBehind(log, LOG_START)).toEqual(idsOf('a', '1'));
});
