import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { quickstart, send, textOf } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

let world: World;
let events: number;
beforeAll(async () => {
  world = await World.start({ settings: { RATE_LIMITS: 'dev' } });
  await Promise.all(Array.from({ length: 80 }, () => quickstart(world.url, { kind: 'reader' })));
  await world.settled();
  events = (await world.events()).length;
});
// No window of an earlier test is left.
beforeEach(() => world.pass(MINUTE_MS));
afterAll(() => world.stop());

const LINES = { accept: 'application/x-ndjson' };
const leftOf = (headers: Headers) => Number(/"reads";r=(\d+);/.exec(headers.get('ratelimit') ?? '')![1]);

async function read(path: string, headers: { readonly [name: string]: string } = {}) {
  const answer = await fetch(`${world.url}${path}`, { headers });
  return { status: answer.status, left: leftOf(answer.headers), text: await answer.text() };
}

test('a page costs a point, and one more for every 100 events that it holds', async () => {
  expect(events).toBeGreaterThan(300);
  const more = Math.floor(events / 100);
  expect((await read('/api/events?limit=1')).left).toBe(599);
  expect((await read('/api/events?limit=99')).left).toBe(598);
  expect((await read('/api/events')).left).toBe(596);
  expect((await read('/api/events?limit=250')).left).toBe(593);
  expect((await read('/api/events?limit=1000')).left).toBe(592 - more);
  expect((await read('/api/roles')).left).toBe(591 - more);
});

test('lines cost a point, and one more for every 100 events', async () => {
  const { text } = await read('/api/events', LINES);
  expect(text.trimEnd().split('\n')).toHaveLength(events + 1);
  expect((await read('/api/roles')).left).toBe(598 - Math.floor(events / 100));
});

test('a page without events and a refused page cost one point', async () => {
  const { head } = JSON.parse((await read('/api/events?limit=1')).text) as { readonly head: string };
  expect((await read(`/api/events?limit=1000&after=${head}`)).left).toBe(598);
  expect((await read('/api/events?limit=1000&types=Nothing')).left).toBe(597);
  const lines = await fetch(`${world.url}/api/events?after=${head}`, { headers: LINES });
  expect(await lines.text()).toBe(`{"head":"${head}"}\n`);
  expect((await read('/api/events', { accept: 'text/event-stream', 'last-event-id': 'x' })).left).toBe(595);
});

test('pages that are asked for at once are refused before they are built', async () => {
  const answers = await Promise.all(Array.from({ length: 80 }, () => send(world.url, '/api/events?limit=1000')));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter(status => status === 429).length).toBeGreaterThan(0);
  const refused = answers.find(({ status }) => status === 429)!;
  expect(refused.body).toMatchObject({ code: 'rate_limited', limit: 'reads' });
  expect(refused.headers.get('retry-after')).toBe(textOf(refused, 'retry_after'));
  expect(await world.audit()).toEqual(CLEAN);
});
