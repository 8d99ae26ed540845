import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import Fastify from 'fastify';
import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { startLiveStream } from '#libs/http/long-responses.js';

const WITHIN_MS = 1_000;

function* endless() {
  for (;;) yield 'x'.repeat(100_000);
}

test.each(['before', 'after'])('closes a stream whose reader stalls when it is stopped %s its start', async when => {
  const stop = new AbortController();
  if (when === 'before') stop.abort();
  const app = Fastify();
  const closed = new Promise<void>(resolve => {
    app.get('/', (_request, reply) => {
      startLiveStream(reply, stop.signal);
      reply.raw.once('close', resolve);
      return reply.send(Readable.from(endless()));
    });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  const [head] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  expect(head.toString()).toMatch(/^x-accel-buffering: no\r$/m);
  const from = performance.now();
  stop.abort();
  await closed;
  expect(performance.now() - from).toBeLessThan(WITHIN_MS);
  socket.destroy();
  await app.close();
});
