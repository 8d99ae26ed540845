import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { BSON } from 'mongodb';

const HEADER_BYTES = 16;
const OP_REPLY = 1;
const OP_QUERY = 2_004;
const OP_MSG = 2_013;

/** What a server says of itself that is a member of no replica set. */
const HELLO = {
  ok: 1,
  isWritablePrimary: true,
  ismaster: true,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  logicalSessionTimeoutMinutes: 30,
  minWireVersion: 0,
  maxWireVersion: 25,
};

/** A server of MongoDB's wire protocol that says of itself that it stands alone, and nothing else. */
export async function loneServer(): Promise<{ readonly address: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket.on('error', () => socket.destroy()));
    let waiting = Buffer.alloc(0);
    socket.on('data', (data: Buffer) => {
      waiting = Buffer.concat([waiting, data]);
      while (waiting.length >= HEADER_BYTES && waiting.length >= waiting.readInt32LE(0)) {
        socket.write(answer(waiting));
        waiting = waiting.subarray(waiting.readInt32LE(0));
      }
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      sockets.forEach(socket => socket.destroy());
      return new Promise(resolve => server.close(() => resolve()));
    },
  };
}

/** An old driver's first question is an OP_QUERY; everything else is an OP_MSG. */
function answer(request: Buffer): Buffer {
  const body = Buffer.from(BSON.serialize(HELLO));
  const isQuery = request.readInt32LE(12) === OP_QUERY;
  const before = isQuery ? Buffer.alloc(20) : Buffer.alloc(5);
  if (isQuery) before.writeInt32LE(1, 16);
  const header = Buffer.alloc(HEADER_BYTES);
  const length = header.length + before.length + body.length;
  [length, 0, request.readInt32LE(4), isQuery ? OP_REPLY : OP_MSG].forEach((n, at) => header.writeInt32LE(n, at * 4));
  return Buffer.concat([header, before, body]);
}
