import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ROUTES } from '#libs/service/routes.js';
import { HEADER_BYTES_MAX, HeaderSizes, LONG_BASE_URL } from '../header-sizes.js';
import { newIdempotencyKey, quickstart } from '../raw-agent.js';
import { World } from '../world.js';

const ACCEPTS = [
  'application/json',
  'application/problem+json',
  'text/html',
  'text/event-stream',
  'application/x-ndjson',
];
const JSON_BODY = { 'content-type': 'application/json' };
const ANSWERED_MS = 20_000;
const FLOOD = 400;
const sizes = new HeaderSizes();
let world: World;
beforeAll(async () => {
  const settings = {
    BASE_URL: LONG_BASE_URL,
    RATE_LIMITS: 'dev',
    BASE_BROWSER_RPC: `https://${'node'.repeat(12)}.example/base`,
    ROBINHOOD_BROWSER_RPC: `https://${'node'.repeat(12)}.example/robinhood`,
  };
  world = await World.start({ settings });
  // The first request for the clients may build them, which takes longer than an answer may.
  await fetch(`${world.url}/clients`);
});
afterAll(async () => {
  sizes.stop();
  await world.stop();
});

/** Reads only the status, since the body may be endless. */
async function ask(path: string, init: RequestInit): Promise<number> {
  const { status, body } = await fetch(world.url + path, { ...init, signal: AbortSignal.timeout(ANSWERED_MS) });
  await body?.cancel();
  return status;
}

const within = () => expect(sizes.atLeast(HEADER_BYTES_MAX)).toEqual([]);
const filled = (path: string) => path.replace(/:\w+/g, 'nothing').replace('*', 'nothing');

test('the public address has the length for which the limit is documented', () =>
  expect(LONG_BASE_URL).toHaveLength(60));

describe('the headers of a response stay below 3,500 bytes', () => {
  test.each(ACCEPTS)('for every read as %s', async accept => {
    for (const { path } of [...ROUTES.reads, ...ROUTES.others, { path: '/nothing' }])
      for (const method of ['GET', 'HEAD', 'OPTIONS']) await ask(filled(path), { method, headers: { accept } });
    within();
  });

  test('for every write, unsigned, with a token and with an idempotency key', async () => {
    for (const { path } of ROUTES.writes) {
      const { headers: bearer } = await quickstart(world.url, { kind: 'headers' });
      const keyed = { ...JSON_BODY, ...bearer, 'idempotency-key': newIdempotencyKey() };
      for (const headers of [JSON_BODY, { ...JSON_BODY, ...bearer }, keyed, keyed])
        await ask(filled(path), { method: 'POST', headers, body: '{}' });
      await ask(filled(path), { method: 'DELETE', headers: bearer });
    }
    within();
  });

  test('for reads and writes above their limits', async () => {
    const flood = Array.from({ length: FLOOD }, () =>
      ask('/api/x402', { headers: { 'x-forwarded-for': '192.0.2.1' } }),
    );
    await Promise.all(flood);
    const { headers: bearer } = await quickstart(world.url, { kind: 'headers' });
    const headers = { ...JSON_BODY, ...bearer };
    const statuses = new Set<number>();
    for (let at = 0; at < FLOOD && !statuses.has(429); at += 1)
      statuses.add(await ask('/api/whoami', { method: 'POST', headers, body: '{}' }));
    expect(statuses).toContain(429);
    within();
  });
});
