import { expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { newIdempotencyKey, type RawAgent, type Reply, send, textOf } from '../raw-agent.js';
import { paymentHeader } from '../x402.js';
import { useWorld } from '../use-world.js';

const world = useWorld();

const JOB = {
  title: 'Translate a page',
  summary: 'One page, English to French.',
  done: 'A post with the text.',
  budget_usd: '1',
};
/** 5 % of the budget of each job. */
const FEE = '0.05';

const post = (token: string, endpoint: string, body: JsonObject = {}, headers = {}) =>
  send(world.url, `/api/${endpoint}`, {
    body,
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': newIdempotencyKey(), ...headers },
  });
const issue = async (agent: RawAgent, spend_usd_a_day: string, scope = 'work') =>
  textOf(await agent.post('token', { action: 'issue', scope, spend_usd_a_day }), 'token');
const spent = async (token: string) => (await post(token, 'whoami')).body['spent_usd'];
const asked = async (agent: RawAgent) => {
  await world.settle();
  const { body } = await agent.post('inbox', { peek: 'true' });
  return (body['items'] as JsonObject[])
    .filter(({ kind }) => kind === 'owner_asked')
    .map(({ command, usd }) => ({ command, usd }));
};
const job = (n: number) => ({ ...JOB, title: `Translate page ${n}` });

async function pays(agent: RawAgent, token: string, n: number): Promise<Reply> {
  const offer = await post(token, 'job', job(n));
  if (offer.status !== 402) return offer;
  return post(token, 'job', job(n), await paymentHeader(agent.wallet, offer, world.now()));
}

test('a token pays up to its sum in any 24 hours, and its owner is asked beyond', async () => {
  const agent = await world.raw('Spends');
  const token = await issue(agent, '0.1');
  expect(await post(token, 'whoami')).toMatchObject({
    body: { scope: 'work', spend_usd_a_day: '0.1', spent_usd: '0' },
  });
  expect(await pays(agent, token, 1)).toMatchObject({ status: 200 });
  await world.advance(HOUR_MS);
  expect(await pays(agent, token, 2)).toMatchObject({ status: 200 });
  expect(await spent(token)).toBe('0.1');
  for (let n = 0; n < 2; n += 1) {
    const refused = await pays(agent, token, 3);
    expect(refused).toMatchObject({ status: 403, body: { code: 'over_limit', retry_after: expect.any(Number) } });
    expect(refused.body['accepts']).toBeUndefined();
    expect(refused.body['retry_after'] as number).toBeLessThanOrEqual(DAY_MS / 1000);
  }
  expect(await post(token, 'webhook', { action: 'list' })).toMatchObject({ status: 403, body: { code: 'scope' } });
  expect(await asked(agent)).toEqual([
    { command: 'job', usd: FEE },
    { command: 'webhook', usd: null },
  ]);
  await world.advance(DAY_MS - HOUR_MS);
  expect(await pays(agent, token, 3)).toMatchObject({ status: 200 });
  expect(await spent(token)).toBe('0.1');
  expect(await pays(agent, await issue(agent, '0'), 4)).toMatchObject({ status: 403, body: { code: 'over_limit' } });
});

test('a rotated token keeps its scope, its sum and what it spent', async () => {
  const agent = await world.raw('Rotates');
  for (const scope of ['all', 'work']) {
    const token = await issue(agent, FEE, scope);
    expect(await pays(agent, token, scope === 'all' ? 1 : 2)).toMatchObject({ status: 200 });
    const next = textOf(await post(token, 'token', { action: 'rotate' }), 'token');
    expect(await post(next, 'whoami')).toMatchObject({
      body: { scope, spend_usd_a_day: FEE, spent_usd: FEE },
    });
    expect(await pays(agent, next, 3)).toMatchObject({ status: 403, body: { code: 'over_limit' } });
    for (const endpoint of ['key', 'link', 'token'])
      expect(await post(next, endpoint, { action: 'issue' })).toMatchObject({ status: 403, body: { code: 'scope' } });
  }
});

test('concurrent payments of one token stay within its sum', async () => {
  const agent = await world.raw('Races');
  const token = await issue(agent, '0.1');
  const offers = await Promise.all([1, 2, 3, 4].map(async n => ({ n, offer: await post(token, 'job', job(n)) })));
  const replies = await Promise.all(
    offers.map(async ({ n, offer }) =>
      post(token, 'job', job(n), await paymentHeader(agent.wallet, offer, world.now())),
    ),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 403, 403]);
  expect(replies.filter(({ status }) => status === 403).map(({ body }) => body['code'])).toEqual([
    'over_limit',
    'over_limit',
  ]);
  expect(await spent(token)).toBe('0.1');
});

test('a payment that another token made is returned within the sum', async () => {
  const agent = await world.raw('Repeats');
  const [all, token] = [textOf(await agent.post('token', { action: 'issue' }), 'token'), await issue(agent, '0')];
  const offer = await post(all, 'job', job(1));
  const payment = await paymentHeader(agent.wallet, offer, world.now());
  const paid = await post(all, 'job', job(1), payment);
  expect(paid.status).toBe(200);
  expect(await post(token, 'job', job(1), payment)).toMatchObject({ status: 200, body: { role: paid.body['role'] } });
  expect(await spent(token)).toBe('0');
});

test('a webhook of a limited token hides requests to the owner and ends with its token', async () => {
  const agent = await world.raw('Listens');
  const token = await issue(agent, '0', 'all');
  const hook = { action: 'create', url: 'https://example.com/hooks', events: 'owner_asked,message' };
  expect(await post(token, 'webhook', hook)).toMatchObject({ status: 200 });
  expect(await post(token, 'link', {})).toMatchObject({ status: 403, body: { code: 'scope' } });
  expect(await asked(agent)).toEqual([{ command: 'link', usd: null }]);
  expect(await post(token, 'token', { action: 'revoke' })).toMatchObject({ status: 200 });
  await world.settle();
  expect((await agent.post('webhook', { action: 'list' })).body['webhooks']).toMatchObject([{ state: 'stopped' }]);
});
