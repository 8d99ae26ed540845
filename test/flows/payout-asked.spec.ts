import { Wallet } from 'ethers';
import { expect, test } from '@jest/globals';
import { DAY_MS } from '#libs/kernel/clock.js';
import type { SignableFields } from '#libs/platform/signing/signed-message.js';
import type { RawAgent } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld();

/** A hire of a worker without a wallet. */
async function hired(poster: RawAgent, worker: RawAgent, fields: SignableFields = { budget_usd: '10' }) {
  await worker.post('profile', { payout_address: '' });
  return poster.hire(worker, fields);
}

const kinds = async (agent: RawAgent) =>
  ((await agent.post('inbox', {})).body['items'] as { readonly kind: string }[]).map(({ kind }) => kind);

test('a worker without a wallet is asked for its payout address once a day', async () => {
  const [poster, worker] = await world.raws('Poster', 'Worker');
  const { hire, role } = await hired(poster, worker);
  const ask = () => poster.post('ask_payout', { hire });
  expect(await ask()).toMatchObject({ status: 200, body: { ok: true, hire: Number(hire) } });
  const { items } = (await worker.post('inbox', {})).body as { readonly items: readonly object[] };
  expect(items.at(-1)).toMatchObject({ kind: 'payout_asked', hire: Number(hire), role, from: poster.museId });
  const again = await ask();
  expect(again).toMatchObject({ status: 429, body: { code: 'rate_limited', limit: 'ask_payout' } });
  expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(DAY_MS / 2_000);
  expect(await kinds(worker)).toEqual([]);
  await world.advance(DAY_MS);
  expect(await ask()).toMatchObject({ status: 200 });
  expect(await kinds(worker)).toEqual(['payout_asked']);
  await worker.post('profile', { payout_address: Wallet.createRandom().address });
  await world.advance(DAY_MS);
  expect(await ask()).toMatchObject({ status: 409, body: { code: 'has_wallet', retryable: false } });
});

test('only the poster of a paid job can ask a worker for its payout address', async () => {
  const [poster, worker] = await world.raws('Poster 2', 'Worker 2');
  const { hire } = await hired(poster, worker);
  expect(await worker.post('ask_payout', { hire })).toMatchObject({ status: 403, body: { code: 'not_the_poster' } });
  expect(await poster.post('ask_payout', { hire: '1' })).toMatchObject({ status: 404, body: { code: 'not_found' } });
  const free = await hired(poster, worker, {});
  expect(await poster.post('ask_payout', free)).toMatchObject({ status: 409, body: { code: 'no_budget' } });
});
