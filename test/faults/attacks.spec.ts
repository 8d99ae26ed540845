import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CONNECTIONS_MAX } from '#libs/http/connections.js';
import { Attacked, type Latency } from './attacked.js';

/** Duration of each attack; set `ATTACK_SECONDS=60` for a long run. */
const ATTACK_MS = Number(process.env['ATTACK_SECONDS'] ?? 5) * 1_000;
const TIMEOUT_MS = 8 * ATTACK_MS + 180_000;

/** Absorbs the latency that other programs on the machine cause. */
const SLOWER_MAX = 2;
const MEDIAN_SLACK_MS = 75;
const P99_SLACK_MS = 400;
const TRIES_MAX = 3;
/** Memory of caches and compiled code in MiB. A leak of an address per request adds ten times that in a minute. */
const MEMORY_SLACK = 128;

let attacked: Attacked;
/** A live tail and a slow body that were opened before the attacks. */
let tail: Response;
let dripped: Promise<string>;

beforeAll(async () => {
  attacked = await Attacked.start();
  const { url } = attacked.service;
  tail = await fetch(`${url}/api/events`, { headers: { accept: 'text/event-stream' } });
  dripped = dripping(url);
  await attacked.idle(1_000);
}, TIMEOUT_MS);

afterAll(async () => expect(await attacked.stop()).toBe(0));

async function dripping(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write('POST /api/quickstart HTTP/1.1\r\nhost: a\r\ncontent-length: 60000\r\n\r\n');
  const timer = setInterval(() => socket.writable && socket.write(' '), 100);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(socket, 'close');
  clearInterval(timer);
  return text;
}

const largest = (numbers: readonly number[]) => Math.max(...numbers);

interface Compared {
  readonly idle: Latency;
  readonly latency: Latency;
}

const isNear = ({ idle, latency }: Compared) =>
  latency.median < largest([SLOWER_MAX * idle.median, idle.median + MEDIAN_SLACK_MS]) &&
  latency.p99 < largest([SLOWER_MAX * idle.p99, idle.p99 + P99_SLACK_MS]);

async function compared(attack: string): Promise<Compared> {
  const idle = await attacked.idle(ATTACK_MS);
  const { latency, memory, answers } = await attacked.during(attack, ATTACK_MS);
  const summary = JSON.stringify({ attack, idle, latency, memory: [memory[0], largest(memory)], answers });
  if (process.env['ATTACK_SECONDS']) process.stderr.write(`${summary}\n`);
  const half = Math.ceil(memory.length / 2);
  expect(largest(memory.slice(half))).toBeLessThan(largest(memory.slice(0, half)) + MEMORY_SLACK);
  expect(Object.keys(answers).filter(status => /^5/.test(status))).toEqual([]);
  if (attack === 'idle') expect(answers['open']).toBeLessThanOrEqual(CONNECTIONS_MAX.perAddress);
  return { idle, latency };
}

describe.each([
  ['unknown addresses', 'memory'],
  ['waiting requests and live tails with costly filters', 'waiting'],
  ['HEAD of endless responses, and unknown methods', 'heads'],
  ['two hundred dripping bodies', 'drips'],
  ['fifteen hundred idle connections', 'idle'],
])('%s', (_name, attack) => {
  test(
    'the agent stays as fast as before, with stable memory and no failures',
    async () => {
      let comparison: Compared;
      // Retries, since a busy machine may slow down in the middle. An attack has its effect every time.
      for (let tries = 1; !isNear((comparison = await compared(attack))) && tries < TRIES_MAX; tries += 1);
      const { idle, latency } = comparison;
      expect({ idle, latency, isNear: isNear(comparison) }).toEqual({ idle, latency, isNear: true });
    },
    TIMEOUT_MS,
  );
});

test('the agent got no failure', () => {
  expect(attacked.statuses.length).toBeGreaterThan(20);
  expect(attacked.statuses.filter(status => status !== 200)).toEqual([]);
});

test('a dripping body is refused within half a minute, but not too early', async () => {
  expect(await dripped).toMatch(/^HTTP\/1\.1 408 /);
}, 60_000);

test('a waiting request outlasts the limit for the arrival of a request', async () => {
  const { url } = attacked.service;
  const { head } = (await (await fetch(`${url}/api/events?limit=1`)).json()) as { readonly head: string };
  const startedAt = Date.now();
  const answer = await fetch(`${url}/api/events?wait=25&after=${head}`);
  expect([answer.status, Date.now() - startedAt >= 24_000]).toEqual([200, true]);
}, 60_000);

test('a live tail from before the attacks survives them', async () => {
  const reader = tail.body!.getReader();
  const { done, value } = await reader.read();
  expect([done, value!.length > 0]).toEqual([false, true]);
  await reader.cancel();
});
