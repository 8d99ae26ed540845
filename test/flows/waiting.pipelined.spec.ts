import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CLEAN, World } from '../world.js';
import { send } from '../raw-agent.js';

/** Requests that a client sends on one connection, without reading their answers. */
const SENT_MS = 500;
const FREED_MS = 5_000;
const LOOK_MS = 50;

let world: World;
let token: string;
beforeAll(async () => {
  world = await World.start();
  const { body } = await send(world.url, '/api/quickstart', { body: { name: 'Waiter', kind: 'publisher' } });
  token = (body as { token: string }).token;
});
afterAll(() => world.stop());

interface Asked {
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: string;
}

function textOf({ path, headers, body }: Asked): string {
  const all = { host: 'localhost', ...headers, ...(body !== undefined && { 'content-length': String(body.length) }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1`, ...lines, '', body ?? ''].join('\r\n');
}

async function sendAndLeave(asked: Asked, times: number): Promise<void> {
  const { hostname, port } = new URL(world.url);
  const socket = connect(Number(port), hostname);
  socket.write(textOf(asked).repeat(times));
  await pause(SENT_MS);
  socket.destroy();
}

/** How many of some requests, sent on connections of their own at the same time, are not refused. */
async function accepted({ path, headers, body }: Asked, times: number): Promise<number> {
  const aborting = new AbortController();
  const { signal } = aborting;
  const refusals: number[] = [];
  for (let n = 0; n < times; n += 1) {
    const asking = fetch(`${world.url}${path}`, {
      headers,
      signal,
      ...(body !== undefined && { method: 'POST', body }),
    });
    asking.then(({ status }) => status === 429 && refusals.push(n)).catch(() => undefined);
  }
  await pause(SENT_MS);
  aborting.abort();
  return times - refusals.length;
}

const headOf = async () => ((await (await fetch(`${world.url}/api/events?limit=1`)).json()) as { head: string }).head;

const KINDS: readonly (readonly [number, string, () => Promise<Asked>])[] = [
  [4, 'live tails', async () => ({ path: '/api/events', headers: { accept: 'text/event-stream' } })],
  [32, 'pages that wait', async () => ({ path: `/api/events?after=${await headOf()}&wait=25`, headers: {} })],
  [
    4,
    'inboxes that wait',
    async () => ({
      path: '/api/inbox',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"wait":"25"}',
    }),
  ],
];

test.each(KINDS)('a closed connection frees the places of its %i pipelined %s', async (places, _kind, asked) => {
  const request = await asked();
  await sendAndLeave(request, places);
  const until = Date.now() + FREED_MS;
  let free = await accepted(request, places);
  while (free < places && Date.now() < until) {
    await pause(LOOK_MS);
    free = await accepted(request, places);
  }
  expect(free).toBe(places);
  expect(await world.audit()).toEqual(CLEAN);
});
