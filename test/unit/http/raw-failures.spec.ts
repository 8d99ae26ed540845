import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refuseUnparsed } from '#libs/http/raw-failures.js';
import { listen } from '../../listen.js';

const SOON_MS = 20;

let server: Server;
beforeAll(async () => {
  const limits = { headersTimeout: SOON_MS, requestTimeout: SOON_MS, connectionsCheckingInterval: SOON_MS };
  server = createServer(limits, (request, response) => void request.on('end', () => response.end()).resume());
  server.on('clientError', (error, socket) => refuseUnparsed(error, socket as Socket));
  await listen(server);
});
afterAll(() => new Promise(resolve => server.close(resolve)));

async function answerTo(bytes: string): Promise<[status: string, body: object]> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(bytes);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  const [head, body] = text.split('\r\n\r\n');
  return [head!.split('\r\n')[0]!, JSON.parse(body!) as object];
}

test('an incomplete request is refused as retryable after a timeout', async () => {
  const [status, body] = await answerTo('POST /api/job HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n{');
  expect(status).toBe('HTTP/1.1 408 Request Timeout');
  expect(body).toMatchObject({ ok: false, code: 'request_timeout', retryable: true });
});

test('refuses bytes that are not HTTP', async () => {
  const [status, body] = await answerTo('not http\r\n\r\n');
  expect(status).toBe('HTTP/1.1 400 Bad Request');
  expect(body).toMatchObject({ ok: false, code: 'http', retryable: false });
});

test('refuses headers that are too large', async () => {
  const [status, body] = await answerTo(`GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`);
  expect(status).toBe('HTTP/1.1 431 Request Header Fields Too Large');
  expect(body).toMatchObject({ ok: false, code: 'headers_too_large' });
});
