import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { World } from '../world.js';

let world: World;
beforeAll(async () => void (world = await World.start()));
afterAll(() => world.stop());

async function ask(path: string, lines: readonly string[], version = '1.1') {
  const { hostname, port } = new URL(world.url);
  const socket = connect(Number(port), hostname);
  socket.write([`GET ${path} HTTP/${version}`, ...lines, 'connection: close', '', ''].join('\r\n'));
  const [head, body] = (await text(socket)).split('\r\n\r\n') as [string, string];
  return { status: Number(head.split(' ')[1]), head, body };
}

const REFUSED: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['two equal Host headers', ['host: localhost', 'host: localhost'], /several Host headers/],
  ['two different Host headers', ['Host: localhost', 'HOST: example.org'], /several Host headers/],
  ['no Host header', [], /no Host header/],
  ['a Host with a path', ['host: localhost/x'], /must be a host name/],
  ['a Host with a user', ['host: me@localhost'], /must be a host name/],
  ['a Host with a space', ['host: localhost, example.org'], /must be a host name/],
];

test.each(REFUSED)('refuses a request with %s', async (_case, lines, sentence) => {
  for (const path of ['/api/health/live', '/api/feed', '/nothing/there', '/openapi.json']) {
    const { status, head, body } = await ask(path, lines);
    expect([path, status]).toEqual([path, 400]);
    expect(head).toMatch(/^x-request-id: /m);
    const failure = JSON.parse(body) as JsonObject;
    expect(failure).toMatchObject({ ok: false, code: 'http', retryable: false });
    expect(failure['error']).toMatch(sentence);
  }
});

test.each([
  ['a name and a port', ['host: Agents.example.org:443'], '1.1'],
  ['an IPv6 address', ['host: [::1]:3000'], '1.1'],
  ['no Host in HTTP/1.0', [], '1.0'],
])('answers a request with %s', async (_case, lines, version) => {
  expect((await ask('/api/health/live', lines, version)).status).toBe(200);
});
