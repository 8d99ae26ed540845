import { expect, test } from '@jest/globals';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { JOB, send } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld({ settings: { RATE_LIMITS: 'dev', TRUST_PROXY: '1' } });

const from = (address: string) => ({ 'x-forwarded-for': address });
const LIMITED = { status: 429, body: { code: 'rate_limited', retryable: true, limit: 'unsigned' } };
const PAID = { ...JOB, budget_usd: '5' };

test('an address may send 600 requests a minute without signature or token', async () => {
  const headers = from('192.0.2.40');
  const unsigned = (at: number) =>
    at % 2
      ? send(world.url, '/api/whoami', { body: {}, headers })
      : send(world.url, '/api/job', { body: PAID, headers });
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami', arguments: {} } };
  const accept = 'application/json, text/event-stream';
  const tool = () => send(world.url, '/mcp', { body: call, headers: { ...headers, accept } });
  const first = await unsigned(0);
  expect(first.status).toBe(402);
  expect(first.headers.get('ratelimit')).toMatch(/"unsigned";r=599;t=(60|59)/);
  expect(await unsigned(1)).toMatchObject({ status: 401, body: { code: 'unsigned' } });
  expect(JSON.stringify((await tool()).body)).toContain('unsigned');
  await Promise.all(Array.from({ length: 597 }, (_, at) => unsigned(at)));
  for (const at of [0, 1]) expect(await unsigned(at)).toMatchObject(LIMITED);
  expect(JSON.stringify((await tool()).body)).toContain('rate_limited');
  expect((await send(world.url, '/api/job', { body: PAID, headers: from('192.0.2.41') })).status).toBe(402);
  const agent = await world.raw('signer');
  const signed = { body: agent.signed('whoami'), headers };
  expect((await send(world.url, '/api/whoami', signed)).status).toBe(200);
  await world.advance(MINUTE_MS);
  expect((await unsigned(0)).status).toBe(402);
});
