import { channel } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MongoConnection } from '#libs/platform/mongodb/connection.js';
import { MongodbDouble } from '../doubles/mongodb-double.js';

const TIMEOUTS = 'connectTimeoutMS=2000&waitQueueTimeoutMS=2000&serverSelectionTimeoutMS=2000&socketTimeoutMS=500';
/** Exceeds the socket buffer of a server that does not read. */
const LONG_TEXT = 'x'.repeat(12_000_000);

/** Collects every socket that this process opens. */
const opened = channel('net.client.socket');
let sockets: Socket[];
const noted = (message: unknown) => void sockets.push((message as { socket: Socket }).socket);

let server: MongodbDouble;
let connection: MongoConnection;
beforeEach(async () => {
  sockets = [];
  opened.subscribe(noted);
  server = await MongodbDouble.primary();
  connection = await MongoConnection.open(
    `mongodb://${server.address}/double?directConnection=true&${TIMEOUTS}`,
    'The store',
  );
  await write();
});
afterEach(async () => {
  opened.unsubscribe(noted);
  await server.stop();
  await connection.close();
});

const write = (text = '') =>
  connection.run(() => connection.db.collection<{ _id: string }>('a').updateOne({ _id: 'a' }, { $set: { text } }));
const settled = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    () => 'failed',
  );

describe('an operation finishes', () => {
  test('if its connection ends before the driver notices', async () => {
    const begun = sockets.map(
      socket => new Promise<string>(resolve => socket.once('end', () => setImmediate(() => resolve(settled(write()))))),
    );
    server.end();
    expect(new Set(await Promise.all(begun))).toEqual(new Set(['done']));
  }, 20_000);

  test('if its server stops reading', async () => {
    server.pause();
    expect(await settled(write(LONG_TEXT))).toMatch(/done|failed/);
  }, 20_000);
});
