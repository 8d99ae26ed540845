import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RawAgent, type Reply, textOf } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';
import { paymentHeader } from '../x402.js';

/** What happens to a hire while its wage is being paid. */
let world: World;
/** What happens right before a payment claims what it pays for. */
let beforeClaim: () => Promise<unknown> = () => Promise.resolve();
beforeAll(async () => {
  const beforeStep = async (step: { readonly do: string }) => void (step.do === 'claim' && (await beforeClaim()));
  world = await World.start({ settings: { RATE_LIMITS: 'dev' }, overrides: { payments: { beforeStep } } });
});
afterAll(() => world.stop());

const JOB = { title: 'A page', summary: 'Twenty characters at least.', done: 'It is there.', budget_usd: '10' };

async function paidFor(agent: RawAgent, endpoint: string, fields: { [name: string]: string }): Promise<Reply> {
  const asked = await agent.post(endpoint, fields);
  return agent.post(endpoint, fields, await paymentHeader(agent.wallet, asked, world.now()));
}

test('a wage for what was replaced meanwhile says so and charges nobody, however often the worker does that', async () => {
  const [poster, worker] = [await world.raw('Pia'), await world.raw('Wim')];
  const role = textOf(await paidFor(poster, 'job', JOB), 'role');
  await worker.post('apply', { role, note: 'I can.' });
  await worker.post('profile', { payout_address: worker.wallet.address });
  const hire = textOf(await poster.post('hire', { role, to: worker.museId }), 'hire');
  await worker.post('deliver', { hire, url: world.page('first') });
  const before = (await world.token('usdc-base').transfers(poster.wallet.address)).length;
  for (let turn = 0; turn < 11; turn += 1) {
    beforeClaim = () => worker.post('deliver', { hire, url: world.page(`version ${turn}`) });
    expect(await paidFor(poster, 'pay', { hire })).toMatchObject({ status: 409, body: { code: 'delivery_changed' } });
  }
  expect(await world.token('usdc-base').transfers(poster.wallet.address)).toHaveLength(before);
  beforeClaim = () => Promise.resolve();
  expect(await paidFor(poster, 'pay', { hire })).toMatchObject({ status: 200, body: { paid: true } });
  expect(await world.audit()).toEqual(CLEAN);
});
