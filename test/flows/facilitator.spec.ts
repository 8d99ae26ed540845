import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import { checkChains } from '#apps/operator/doctor/chains.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { DEV_SERVICE_WALLET } from '#libs/payments/devchain/accounts.js';
import { Facilitator } from '#libs/payments/facilitator.js';
import { FacilitatorChain } from '#libs/payments/facilitator.chain.js';
import type { Rail } from '#libs/payments/chain.port.js';
import { type Chains, openChains } from '#libs/setup/chains.js';
import { readSettings, type Settings } from '#libs/setup/settings.js';
import { OfficialFacilitator } from '../official-facilitator.js';
import { settlementOf } from '../purchase-fixture.js';
import { PURCHASES, verifySmartWallet } from '../purchases.js';
import { newFolder } from '../world.js';
import { useWorld } from '../use-world.js';

const RAIL = 'usdc-base';
const TIMING = { waitMs: 2_000, pollMs: 10, pollMsMax: 50, resubmitMs: 100, stuckMs: 1_000, watchMs: 10 * MINUTE_MS };
const SETTLED = ['PaymentAccepted', 'PaymentSubmitted', 'PaymentSettled', 'PaymentApplied'];

let official: OfficialFacilitator;
let settings: Settings;

/** Opens the chain as with `CHAIN=facilitator`, on the node of the development chain. */
async function chains(opened: Chains): Promise<Chains> {
  const rpc = opened.dev!.rpc['base']!;
  official = await OfficialFacilitator.start(() => rpc);
  const headers = join(newFolder(), 'headers.json');
  const authorized = (endpoint: string) => ({ authorization: `Bearer ${endpoint}` });
  writeFileSync(headers, JSON.stringify({ verify: authorized('verify'), settle: authorized('settle') }));
  settings = readSettings({
    CHAIN: 'facilitator',
    FACILITATOR_URL: official.url,
    FACILITATOR_HEADERS_FILE: headers,
    BASE_RPC_URL: rpc,
    BASE_FINALITY: '1',
    SERVICE_WALLET: DEV_SERVICE_WALLET,
  });
  const { chains: own, escrowRails } = await openChains(settings, 0, () => undefined);
  expect(own.map(chain => chain instanceof FacilitatorChain)).toEqual([true]);
  return { ...opened, chains: own, escrowRails };
}

const world = useWorld({ overrides: { chains, payments: { timing: TIMING } } });
afterEach(() => void (official.fault = 'none'));
afterAll(() => official.stop());

test.each(Object.keys(PURCHASES))('a facilitator settles a payment for %s', async name => {
  const purchase = await PURCHASES[name]!(world, RAIL);
  const payment = await purchase.sign();
  const settled = await purchase.payUntilSettled(payment);
  const [transfer, ...more] = await purchase.transfers(payment);
  expect(more).toEqual([]);
  expect(settled).toMatchObject({ status: 200, body: { paid: true, payment: { tx: transfer!.tx } } });
  expect(await purchase.eventTypes(payment)).toEqual(SETTLED);
  expect(await purchase.pay(payment)).toMatchObject({ status: 200, body: settled.body });
});

test('a facilitator gets its headers of authentication by endpoint', async () => {
  official.authorizations.splice(0);
  expect(await (await PURCHASES['verify']!(world, RAIL)).buy()).toMatchObject({ status: 200 });
  expect(official.authorizations).toEqual(expect.arrayContaining(['Bearer verify', 'Bearer settle']));
});

test('a facilitator deploys a contract wallet and settles its payment', async () => {
  const purchase = await verifySmartWallet(world);
  const payment = await purchase.sign();
  expect(await purchase.payUntilSettled(payment)).toMatchObject({ status: 200, body: { verified: true } });
  expect(await purchase.transfers(payment)).toHaveLength(1);
});

test('a facilitator that does not answer or know a network leaves no payments', async () => {
  const chainOf = (rail: Rail) =>
    new FacilitatorChain(rail, settings.baseRpc, new Facilitator({ url: official.url, headers: {} }));
  const [other, base] = [...world.service.chains.settings.rails].sort((one, two) => one.chainId - two.chainId);
  expect(await chainOf(base!).transactionsLeft()).toBeGreaterThan(0);
  expect(await chainOf(other!).transactionsLeft()).toBe(0);
  official.fault = 'down';
  await expect(chainOf(base!).transactionsLeft()).rejects.toThrow('The facilitator');
});

test('doctor tells whether the facilitator answers and knows the network', async () => {
  const findings = async () => (await checkChains(settings)).filter(({ name }) => name === 'facilitator');
  expect(await findings()).toMatchObject([{ ok: true, sentence: 'The facilitator settles payments on Base.' }]);
  official.fault = 'down';
  expect(await findings()).toMatchObject([{ ok: false, sentence: 'The facilitator does not answer.' }]);
});

test('a lost answer of the facilitator is looked up on the chain and charges once', async () => {
  const purchase = await PURCHASES['verify']!(world, RAIL);
  const payment = await purchase.sign();
  official.fault = 'lost';
  const settled = await purchase.payUntilSettled(payment);
  const [transfer, ...more] = await purchase.transfers(payment);
  expect([settled.status, more]).toEqual([200, []]);
  expect(settled.body).toMatchObject({ payment: { tx: transfer!.tx } });
});

test('nothing is written while the facilitator does not answer', async () => {
  const purchase = await PURCHASES['verify']!(world, RAIL);
  const payment = await purchase.sign();
  official.fault = 'down';
  const before = await world.service.stores.log.head();
  expect(await purchase.pay(payment)).toMatchObject({ status: 503, body: { code: 'payments_unavailable' } });
  expect(await world.service.stores.log.head()).toBe(before);
  official.fault = 'none';
  expect(await purchase.payUntilSettled(payment)).toMatchObject({ status: 200 });
  expect(await purchase.transfers(payment)).toHaveLength(1);
});

test('a payment that the facilitator refuses to settle expires without a charge', async () => {
  const purchase = await PURCHASES['verify']!(world, RAIL);
  const payment = await purchase.sign();
  official.fault = 'refuses';
  const pending = await purchase.pay(payment);
  expect(pending).toMatchObject({ status: 409, body: { code: 'settlement_pending' } });
  expect(settlementOf(pending).v2).toMatchObject({ success: false, transaction: '' });
  await world.advance(5.1 * MINUTE_MS);
  expect(await purchase.payUntilSettled(payment)).toMatchObject({
    status: 402,
    body: { code: 'authorization_expired' },
  });
  expect(await purchase.transfers(payment)).toEqual([]);
});
