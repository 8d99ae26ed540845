import { afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { applyForEscrow, fundHire } from '../escrow-payment.js';
import { textOf } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { waitUntil } from '../wait-until.js';

const RAIL = 'usdc-base';
const WAGE = 10_000_000n;
const TIMING = { waitMs: 20_000, pollMs: 10, pollMsMax: 50, stuckMs: 400, resubmitMs: 200, watchMs: 200, passMs: 100 };
const world = useWorld({ overrides: { payments: { timing: TIMING } } });
const token = () => world.token(RAIL);
// The service makes empty blocks on a development chain while a payment is unfinished.
beforeAll(() => void jest.spyOn(world.service.chains.dev!, 'mineEmptyBlocks').mockResolvedValue());
afterEach(() => token().call('evm_setAutomine', true));

/** Transactions that the log says were signed for the newest payment. */
async function submissions(type: 'PaymentSubmitted' | 'EscrowSubmitted', payment: string): Promise<JsonObject[]> {
  const all = (await world.events()).filter(event => event.type === type).map(({ data }) => data as JsonObject);
  return all.filter(data => data['payment'] === payment);
}

/** Holds the blocks of the chain until a transaction of the payment is replaced, and returns the newest one. */
async function replace(type: 'PaymentSubmitted' | 'EscrowSubmitted', payment: () => Promise<string | undefined>) {
  const signed = async () => submissions(type, (await payment()) ?? '');
  await waitUntil(async () => (await signed()).length > 1);
  await token().call('evm_setAutomine', true);
  await token().call('evm_mine');
  return signed;
}

/** Expects transactions of one nonce with rising fees. */
function expectReplaced(signed: readonly JsonObject[]): void {
  expect(new Set(signed.map(({ relayer_nonce: nonce }) => nonce)).size).toBe(1);
  const fees = signed.map(({ fee }) => BigInt(fee as string));
  expect(fees.every((fee, index) => index === 0 || fee > fees[index - 1]!)).toBe(true);
}

const newestPayment = async () => {
  const accepted = (await world.events()).findLast(({ type }) => type === 'PaymentAccepted');
  return (accepted?.data as { readonly endpoint: string; readonly payment: string } | undefined)?.payment;
};

test('a stuck funding and a stuck release of an escrow are replaced and happen once', async () => {
  const [poster, worker] = await world.raws('poster', 'worker');
  const balances = () => Promise.all([poster, worker].map(({ wallet }) => token().balanceOf(wallet.address)));
  const fields = await applyForEscrow(poster, worker);
  const earlier = await newestPayment();
  const [had, received] = await balances();

  await token().call('evm_setAutomine', false);
  const funding = fundHire(poster, fields);
  const fundingId = async () => ((await newestPayment()) === earlier ? undefined : newestPayment());
  const authorizations = await replace('PaymentSubmitted', fundingId);
  const hire = textOf(await funding, 'hire');
  const payment = (await fundingId())!;
  expectReplaced(await authorizations());
  expect(await balances()).toEqual([had! - WAGE, received]);
  const funded = (await world.events()).filter(event => event.type === 'EscrowFunded');
  expect(funded).toHaveLength(1);
  const { tx: fundedBy } = funded[0]!.data as { readonly tx: string };
  expect((await authorizations()).map(({ tx }) => tx)).toContain(fundedBy);
  expect(await token().call('eth_getTransactionReceipt', fundedBy)).toMatchObject({ status: '0x1' });

  await worker.ok('deliver', { hire, url: world.page('done') });
  await token().call('evm_setAutomine', false);
  await poster.ok('accept', { hire });
  const captures = await replace('EscrowSubmitted', () => Promise.resolve(payment));
  await waitUntil(async () => (await world.eventTypes(`hire-${hire}`)).includes('Paid'));
  expectReplaced(await captures());
  expect(await balances()).toEqual([had! - WAGE, received! + WAGE]);
  const released = (await world.events()).filter(event => event.type === 'EscrowReleased');
  expect(released).toHaveLength(1);
  const { tx: releasedBy } = released[0]!.data as { readonly tx: string };
  expect((await captures()).map(({ tx }) => tx)).toContain(releasedBy);
  expect(await token().call('eth_getTransactionReceipt', releasedBy)).toMatchObject({ status: '0x1' });
  await world.settle();
  const { body } = await worker.ok('hires');
  const [position] = body['hires'] as unknown as JsonObject[];
  expect(position!['escrow']).toMatchObject({ status: 'released', tx: releasedBy });
});
