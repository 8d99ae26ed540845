import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from '@jest/globals';
import { Connections, type ConnectionLimits } from '#libs/http/connections.js';
import { listen } from '../../listen.js';
import { waitUntil } from '../../wait-until.js';

let server: Server;
const sockets: Socket[] = [];
let waiting: (() => void)[];
let paths: string[];
afterEach(async () => {
  sockets.splice(0).forEach(socket => socket.destroy());
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
});

async function serve(limits: ConnectionLimits, isBehindProxy = false): Promise<Connections> {
  waiting = [];
  paths = [];
  const connections = new Connections(limits, isBehindProxy);
  server = connections.serve({}, (request, response) => {
    paths.push(request.url!);
    waiting.push(() => response.end('ok'));
  });
  await listen(server);
  return connections;
}

/** Opens a connection and waits for the server, so that connections keep their order. */
async function open(from = '127.0.0.1') {
  const { port } = server.address() as AddressInfo;
  const seen = once(server, 'connection');
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  sockets.push(socket);
  socket.on('error', () => undefined);
  await seen;
  return socket;
}

/** Waits for the handler, which a busy server calls later than it sees the request. */
async function ask(socket: Socket): Promise<void> {
  const earlier = paths.length;
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  await waitUntil(() => paths.length > earlier);
}

async function answered(socket: Socket): Promise<void> {
  const read = once(socket, 'data');
  waiting.shift()!();
  await read;
}

const closed = (socket: Socket) => (socket.destroyed ? Promise.resolve() : once(socket, 'close'));
const inAll = 100;

test('a new connection closes the longest idle connection of its address', async () => {
  await serve({ perAddress: 2, inAll });
  const [first, second] = [await open(), await open()];
  await ask(first);
  await answered(first);
  const third = await open();
  await closed(second);
  await ask(first);
  await ask(third);
  await answered(first);
  await answered(third);
});

test('refuses only the address whose connections are all busy', async () => {
  await serve({ perAddress: 2, inAll });
  const [first, second] = [await open(), await open()];
  await ask(first);
  await ask(second);
  await closed(await open());
  const other = await open('127.0.0.2');
  await ask(other);
  expect([first.destroyed, second.destroyed, other.destroyed]).toEqual([false, false, false]);
});

test('limits only the total number of connections behind a proxy', async () => {
  await serve({ perAddress: 1, inAll: 2 }, true);
  const [first, second] = [await open(), await open()];
  await ask(second);
  expect(first.destroyed).toBe(false);
  const third = await open('127.0.0.3');
  await closed(first);
  await ask(third);
  await closed(await open());
});

test('a closed connection no longer counts', async () => {
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

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
const turns = () => new Promise(resolve => setTimeout(resolve, 30));

test('handles pipelined requests one at a time and in order', async () => {
  await serve({ perAddress: 2, inAll });
  const socket = await open();
  socket.write(get('/1') + post('/2', 'body') + get('/3'));
  await turns();
  expect(paths).toEqual(['/1']);
  await answered(socket);
  await turns();
  expect(paths).toEqual(['/1', '/2']);
  await answered(socket);
  await turns();
  await answered(socket);
  expect(paths).toEqual(['/1', '/2', '/3']);
});

test('drops pipelined requests of a closed connection', async () => {
  await serve({ perAddress: 2, inAll });
  const socket = await open();
  socket.write(get('/1') + get('/2'));
  await turns();
  socket.destroy();
  await turns();
  expect(paths).toEqual(['/1']);
});

test('pauses a connection with too many pipelined requests and resumes it', async () => {
  await serve({ perAddress: 2, inAll });
  const socket = await open();
  const seen = once(server, 'connection').then(([accepted]) => accepted as Socket);
  const other = await open();
  const accepted = await seen;
  other.write(get('/ahead').repeat(40));
  await turns();
  expect(accepted.isPaused()).toBe(true);
  let text = '';
  other.on('data', (chunk: Buffer) => (text += chunk.toString()));
  for (let count = 0; count < 40; count += 1) {
    waiting.shift()!();
    while (waiting.length === 0 && count < 39) await new Promise(setImmediate);
  }
  await turns();
  expect([text.match(/200 OK/g)!.length, accepted.isPaused()]).toEqual([40, false]);
  other.write(get('/later'));
  await turns();
  expect(paths.at(-1)).toBe('/later');
  expect(socket.destroyed).toBe(false);
});

test('closes a connection when all connections together pipeline too much', async () => {
  await serve({ perAddress: 9, inAll });
  const sockets = await Promise.all(Array.from({ length: 4 }, () => open()));
  const first = Promise.race(sockets.map(socket => once(socket.resume(), 'close')));
  for (const socket of sockets) socket.write(get('/').repeat(2_000));
  await first;
  const last = await open();
  last.write(get('/last'));
  await turns();
  expect(paths.at(-1)).toBe('/last');
});

test('shutdown closes idle connections at once and busy ones after their response', async () => {
  const connections = await serve({ perAddress: inAll, inAll });
  const [idle, used, asking] = [await open(), await open(), await open()];
  await ask(used);
  await answered(used);
  asking.write(get('/') + get('/ahead'));
  await turns();
  const ending = connections.end(server);
  await Promise.all([closed(idle), closed(used)]);
  expect(asking.destroyed).toBe(false);
  await answered(asking);
  await Promise.all([closed(asking), ending]);
  expect(paths).not.toContain('/ahead');
});

test('shutdown finishes a response to a slow reader', async () => {
  const connections = await serve({ perAddress: inAll, inAll });
  const socket = await open();
  const body = 'x'.repeat(50_000_000);
  const seen = once(server, 'request');
  socket.pause().write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  const [, response] = (await seen) as [unknown, ServerResponse];
  response.end(body);
  const ending = connections.end(server);
  const [read] = await Promise.all([text(socket), ending]);
  expect(read.length).toBeGreaterThan(body.length);
});
