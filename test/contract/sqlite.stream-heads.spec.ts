import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { SqliteEventLog } from '#libs/event-log/sqlite.event-log.js';
import { events, idOf, nameOf } from './samples.js';

const PAGE = 10;

let folder: string;
let log: SqliteEventLog;
let other: DatabaseSyncInstance;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'reads-'))));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
beforeEach(async () => {
  const file = join(folder, `${(files += 1)}.db`);
  log = SqliteEventLog.open(file);
  other = new DatabaseSync(file);
  await log.append('one', 'none', events('one', 'first'));
  await turn();
});
afterEach(async () => {
  other.close();
  await log.close();
});

/** Commits as another process would, within one callback. */
function commit(stream: string, revision: number, name: string): void {
  other
    .prepare(
      'INSERT INTO events (stream, revision, id, type, body) SELECT ?, CAST(? AS INTEGER), ?, type, body FROM events LIMIT 1',
    )
    .run(stream, revision, idOf(name));
}
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
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
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
