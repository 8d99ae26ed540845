import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { Connections, type ConnectionLimits } from '#libs/http/connections.js';

let server: Server;
const sockets: Socket[] = [];
/** Requests that wait for their answer. */
let waiting: (() => void)[];
afterEach(async () => {
  sockets.splice(0).forEach(socket => socket.destroy());
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
});

async function serve(limits: ConnectionLimits, isBehindProxy = false): Promise<void> {
  waiting = [];
  server = createServer((_request, response) => void waiting.push(() => response.end('ok')));
  new Connections(limits, isBehindProxy).watch(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
}

/** A connection that the server has seen; which of its ends comes first. */
async function open(from = '127.0.0.1') {
  const { port } = server.address() as AddressInfo;
  const seen = once(server, 'connection');
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  sockets.push(socket);
  socket.on('error', () => undefined);
  await seen;
  return socket;
}

async function ask(socket: Socket): Promise<void> {
  const seen = once(server, 'request');
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  await seen;
}

async function answered(socket: Socket): Promise<void> {
  const read = once(socket, 'data');
  waiting.shift()!();
  await read;
}

const closed = (socket: Socket) => (socket.destroyed ? Promise.resolve() : once(socket, 'close'));
const inAll = 100;

test('the connection that has been idle for longest gives way to a new one of its address', async () => {
  await serve({ perAddress: 2, inAll });
  const [first, second] = [await open(), await open()];
  await ask(first);
  await answered(first);
  const third = await open();
  await closed(second);
  await Promise.all([ask(first), ask(third)]);
  await answered(first);
  await answered(third);
});

test('where every connection of an address is at work a new one is closed, and one of another address is not', async () => {
  await serve({ perAddress: 2, inAll });
  const [first, second] = [await open(), await open()];
  await ask(first);
  await ask(second);
  await closed(await open());
  const other = await open('127.0.0.2');
  await ask(other);
  expect([first.destroyed, second.destroyed, other.destroyed]).toEqual([false, false, false]);
});

test('behind a proxy only the sum is bounded', async () => {
  await serve({ perAddress: 1, inAll: 2 }, true);
  const [first, second] = [await open(), await open()];
  await ask(second);
  expect(first.destroyed).toBe(false);
  const third = await open('127.0.0.3');
  await closed(first);
  await ask(third);
  await closed(await open());
});

test('a connection that has ended counts no more', async () => {
  await serve({ perAddress: 1, inAll: 1 });
  for (let count = 0; count < 3; count += 1) {
    const socket = await open();
    await ask(socket);
    await answered(socket);
    const gone = new Promise<void>(resolve => {
      server.once('connection', () => resolve());
    });
    socket.destroy();
    await Promise.race([gone, new Promise(resolve => setImmediate(resolve))]);
  }
  const last = await open();
  await ask(last);
  await answered(last);
});
