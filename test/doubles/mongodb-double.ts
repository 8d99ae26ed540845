import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { BSON } from 'mongodb';

const [OP_QUERY, OP_MSG, OP_REPLY] = [2004, 2013, 1];
const HEADER_BYTES = 16;
/** Hello response of a server outside a replica set. */
const STANDALONE = {
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
/** Response of a primary: every write changes a document and every read is empty. */
const PRIMARY = {
  ...STANDALONE,
  setName: 'double',
  n: 1,
  nModified: 1,
  cursor: { id: 0n, ns: 'double.a', firstBatch: [] },
};

/** Returns the same response to every MongoDB message, which is enough to connect. */
export class MongodbDouble {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(answer: object) {
    const body = BSON.serialize(answer);
    this.server = createServer(socket => {
      this.sockets.add(socket);
      socket.on('error', () => socket.destroy()).on('close', () => this.sockets.delete(socket));
      let waiting = Buffer.alloc(0);
      socket.on('data', data => {
        for (waiting = Buffer.concat([waiting, data]); isWhole(waiting);) {
          socket.write(replyTo(waiting, body));
          waiting = waiting.subarray(waiting.readInt32LE(0));
        }
      });
    });
  }

  static primary = () => MongodbDouble.start(PRIMARY);

  static alone = () => MongodbDouble.start(STANDALONE);

  private static async start(answer: object): Promise<MongodbDouble> {
    const double = new MongodbDouble(answer);
    await new Promise<void>(resolve => double.server.listen(0, '127.0.0.1', resolve));
    return double;
  }

  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  end(): void {
    for (const socket of this.sockets) socket.end();
  }

  pause(): void {
    for (const socket of this.sockets) socket.pause();
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise(resolve => this.server.close(resolve));
  }
}

const isWhole = (message: Buffer) => message.length >= HEADER_BYTES && message.length >= message.readInt32LE(0);

/** Replies to the initial OP_QUERY with OP_REPLY and to all else with OP_MSG. */
function replyTo(message: Buffer, body: Uint8Array): Buffer {
  const isQuery = message.readInt32LE(12) === OP_QUERY;
  const between = Buffer.alloc(isQuery ? 20 : 5);
  if (isQuery) between.writeInt32LE(1, 16);
  const header = Buffer.alloc(HEADER_BYTES);
  const length = HEADER_BYTES + between.length + body.length;
  [length, 0, message.readInt32LE(4), isQuery ? OP_REPLY : OP_MSG].forEach((value, at) =>
    header.writeInt32LE(value, at * 4),
  );
  return Buffer.concat([header, between, body]);
}
