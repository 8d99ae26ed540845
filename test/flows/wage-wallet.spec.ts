import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Wallet } from 'ethers';
import type { RawAgent } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';
import { paymentHeader } from '../x402.js';

let world: World;
beforeAll(async () => void (world = await World.start()));
afterAll(() => world.stop());

const answered = async (agent: RawAgent, endpoint: string, fields = {}) => (await agent.post(endpoint, fields)).body;

test('names the wage wallet and hints at an unused payout address', async () => {
  const agent = await world.raw('Worker');
  const payout_address = Wallet.createRandom().address;
  expect(await answered(agent, 'profile', { payout_address: '' })).toMatchObject({ wage_wallet: null });
  expect(await answered(agent, 'whoami')).toMatchObject({ wage_wallet: null });
  expect(await answered(agent, 'join', { skills: 'french' })).toMatchObject({
    wage_wallet: null,
    payout_address: null,
  });
  const named = await answered(agent, 'profile', { payout_address });
  expect(named).toMatchObject({ wage_wallet: payout_address, changed: ['payout_address'] });
  const joined = await answered(agent, 'join', { skills: 'french' });
  expect(joined).toMatchObject({ wage_wallet: payout_address, payout_address });
  for (const answer of [named, joined]) expect(answer).not.toHaveProperty('hint');

  await world.fund(agent.wallet.address);
  const fields = { wallet: agent.wallet.address };
  const paid = await paymentHeader(agent.wallet, await agent.post('verify', fields), world.now());
  expect(await agent.post('verify', fields, paid)).toMatchObject({ status: 200 });
  const { wallet } = (await answered(agent, 'whoami')) as { wallet: string };
  expect(await answered(agent, 'whoami')).toMatchObject({ wallet, wage_wallet: wallet });
  for (const endpoint of ['join', 'profile'])
    expect(await answered(agent, endpoint, { payout_address })).toMatchObject({
      wage_wallet: wallet,
      hint: expect.stringContaining('verified wallet'),
    });
  expect(await answered(agent, 'join', { payout_address: '' })).not.toHaveProperty('hint');
  expect(await world.audit()).toEqual(CLEAN);
});

test('names for an earlier identity the wallet of the later identity', async () => {
  const [earlier, later] = (await Promise.all(['Earlier', 'Later'].map(name => world.raw(name)))) as [
    RawAgent,
    RawAgent,
  ];
  const [before, now] = [Wallet.createRandom().address, Wallet.createRandom().address];
  await earlier.post('profile', { payout_address: before });
  await later.post('profile', { payout_address: '' });
  const proof = earlier.proof(`service-link-v1\n${later.museId}\n${earlier.museId}`);
  expect(await later.post('link', { to: earlier.museId, proof })).toMatchObject({ status: 200 });
  expect(await answered(earlier, 'whoami')).toMatchObject({ wage_wallet: before });
  await later.post('profile', { payout_address: now });
  expect(await answered(earlier, 'whoami')).toMatchObject({ wage_wallet: now });
  expect(await world.audit()).toEqual(CLEAN);
});
