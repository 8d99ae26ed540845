import { once } from 'node:events';
import { type AddressInfo, connect as connectTo, createServer } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { SqliteEventLog } from '#libs/event-log/sqlite.event-log.js';
import { LOG_START, type Position } from '#libs/kernel/event.js';
import { temporaryFolder } from '../temporary-folder.js';
import { events, idOf, nameOf } from './samples.js';

/** More events than the cache holds. */
const MANY = 1_100;
const PAGE = 10;

const open: SqliteEventLog[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(log => log.close()));
});
const path = temporaryFolder();

function connect(): SqliteEventLog {
  const log = SqliteEventLog.open(path('events.db'));
  open.push(log);
  return log;
}

const idsBehind = async (log: SqliteEventLog, after: Position) =>
  (await log.readNews(after, 5_000)).events.map(({ id }) => id);
const idsOf = (stream: string, name: string) => events(stream, name).map(({ id }) => id);

test('a follower in the appending process gets the identical events', async () => {
  const log = connect();
  const [own] = await log.append('a', 'none', events('a', '1'));
  const { events: news, next } = await log.readNews(LOG_START, 10);
  expect(news[0]).toBe(own);
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

/** Commits as another process would, within one callback. */
function commit(stream: string, revision: number, name: string): void {
  const other = new DatabaseSync(path('events.db'));
  other
    .prepare(
      'INSERT INTO events (stream, revision, id, type, body) SELECT ?, CAST(? AS INTEGER), ?, type, body FROM events LIMIT 1',
    )
    .run(stream, revision, idOf(name));
  other.close();
}

describe('the ends of streams', () => {
  let log: SqliteEventLog;
  beforeEach(async () => {
    log = connect();
    await log.append('one', 'none', events('one', 'first'));
    await turn();
  });
  const names = async (stream: string, from: number) => (await log.read(stream, from)).map(nameOf);

  test('a read is never older than an earlier read of another stream', async () => {
    expect(await names('one', 1)).toEqual([]);
    commit('one', 1, 'effect');
    commit('two', 0, 'its end');
    expect(await names('two', 0)).toEqual(['its end']);
    expect(await names('one', 1)).toEqual(['effect']);
  });

  test('a request after a response of another process sees its writes', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    const connected = once(server, 'connection');
    await once(server, 'listening');
    const client = connectTo((server.address() as AddressInfo).port, '127.0.0.1');
    const [socket] = (await connected) as [typeof client];
    const seen = once(socket, 'data').then(() => names('one', 1));
    await turn();
    expect(await names('one', 1)).toEqual([]);
    commit('one', 1, 'answered');
    client.write('a request');
    expect(await seen).toEqual(['answered']);
    client.destroy();
    server.close();
  });

  test('a read at a known moment does not check the file again', async () => {
    commit('one', 1, 'before');
    const moment = await log.moment();
    expect((await log.read('one', 1, PAGE, moment)).map(nameOf)).toEqual(['before']);
    let turns = 0;
    setImmediate(() => (turns += 1));
    expect(await log.read('one', 2, PAGE, moment)).toEqual([]);
    expect(turns).toBe(0);
  });
});
