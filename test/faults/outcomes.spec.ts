import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import type { Fault } from '../doubles/rpc-proxy.js';
import { PURCHASES } from '../purchases.js';
import { broadcastTransfer, emptyWallet } from '../third-party.js';
import { settlementOf, type SignedPurchase, type PurchaseFixture } from '../purchase-fixture.js';
import { RPC_TIMEOUT_MS, FaultyRpc } from '../faulty-rpc.js';
import { useWorld } from '../use-world.js';

const faultyRpc = new FaultyRpc();
const TIMING = { waitMs: 900, pollMs: 10, pollMsMax: 50, stuckMs: 400, watchMs: 10 * MINUTE_MS };
const SETTLED = ['PaymentAccepted', 'PaymentSubmitted', 'PaymentSettled', 'PaymentApplied'];
const SLOW: Fault = { delayMs: RPC_TIMEOUT_MS / 6 };
const SLOWER: Fault = { delayMs: RPC_TIMEOUT_MS * 1.5 };
const FAULTS: readonly (readonly [name: string, fault: Fault])[] = [
  ['refuses connections', 'refuse'],
  ['loses requests', 'drop-before'],
  ['loses answers', 'drop-after'],
  ['is slow', SLOW],
  ['is too slow', SLOWER],
  ['answers 429', { status: 429 }],
  ['answers 500', { status: 500 }],
  ['answers without JSON', 'garbage'],
];
const world = useWorld({ overrides: { chains: faultyRpc.chains, payments: { timing: TIMING } } });
let purchase: PurchaseFixture;
let payment: SignedPurchase;
let turn = 0;
beforeAll(async () => {});
beforeEach(async () => {
  // Alternates between both rails.
  purchase = await PURCHASES['verify']!(world, ['usdc-base', 'usdg-robinhood'][(turn += 1) % 2]!);
  payment = await purchase.sign();
});
afterEach(() => faultyRpc.mend());
afterAll(() => faultyRpc.stop());

const wire = () => faultyRpc.of(purchase.terms.rail);
const charged = async () => (await purchase.transfers(payment)).length;
const sends = () =>
  wire()
    .seen.flat()
    .filter(method => method === 'eth_sendRawTransaction').length;
const head = () => world.service.stores.log.head();

/** Asserts that the payment ends in one charge, one effect and a stable response. */
async function endsWell(): Promise<void> {
  const reply = await purchase.payUntilSettled(payment);
  expect(reply).toMatchObject({
    status: 200,
    body: { paid: true, payment: { tx: (await purchase.transfers(payment))[0]!.tx } },
  });
  expect(await purchase.pay(payment)).toMatchObject({ status: 200, body: reply.body });
  expect([await charged(), [...new Set(await purchase.eventTypes(payment))]]).toEqual([1, SETTLED]);
  const effects = await world.eventTypes(`muse-${purchase.terms.agent.museId}`);
  expect(effects.filter(type => type === 'Verified')).toHaveLength(1);
}

describe.each(FAULTS)('a node that %s', (_name, fault) => {
  test('during the checks of a payment leaves no trace unless it was only slow', async () => {
    const written = await head();
    wire().set(fault, { method: 'eth_call' });
    const reply = await purchase.pay(payment);
    if (fault !== SLOW) {
      expect(reply).toMatchObject({ status: 503, body: { code: 'payments_unavailable', retryable: true } });
      expect([await head(), sends(), await charged()]).toEqual([written, 0, 0]);
    }
    faultyRpc.mend();
    await endsWell();
  });

  test('during the broadcast leaves the payment pending, or settled if it arrived', async () => {
    wire().set(fault, { method: 'eth_sendRawTransaction' });
    const reply = await purchase.pay(payment);
    const arrives = fault === SLOW || fault === 'drop-after';
    if (arrives) expect(reply).toMatchObject({ status: 200, body: { paid: true } });
    else if (fault === SLOWER) expect([200, 409]).toContain(reply.status);
    else {
      expect(reply).toMatchObject({ status: 409, body: { code: 'settlement_pending', retry_after: 2 } });
      expect(settlementOf(reply).v2).toMatchObject({ transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
      expect(await purchase.eventTypes(payment)).toEqual(['PaymentAccepted', 'PaymentSubmitted']);
      expect(await charged()).toBe(0);
    }
    faultyRpc.mend();
    await endsWell();
  });

  test('during the wait for a receipt leaves the payment pending with its transaction', async () => {
    wire().set(fault, { method: 'eth_getTransactionReceipt' });
    const reply = await purchase.pay(payment);
    const [transfer] = await purchase.transfers(payment);
    if (fault !== SLOW) {
      expect(reply).toMatchObject({ status: 409, body: { code: 'settlement_pending' } });
      expect(settlementOf(reply).v2).toMatchObject({ success: false, transaction: transfer!.tx });
      expect(await purchase.eventTypes(payment)).toEqual(['PaymentAccepted', 'PaymentSubmitted']);
    }
    faultyRpc.mend();
    await endsWell();
  });

  test('once at each call is overcome within the retries of the request', async () => {
    for (const method of ['eth_sendRawTransaction', 'eth_getTransactionReceipt', 'eth_getTransactionCount'])
      wire().set(fault, { method, times: 1 });
    const reply = await purchase.payUntilSettled(payment);
    if (fault !== SLOWER) expect(reply).toMatchObject({ status: 200, body: { paid: true } });
    await endsWell();
  });
});

describe('the chain itself', () => {
  test('refuses the transaction: it is sent again and charged once', async () => {
    wire().set(
      { refusal: { code: -32000, message: 'replacement transaction underpriced' } },
      { method: 'eth_sendRawTransaction', times: 1 },
    );
    const reply = await purchase.pay(payment);
    if (reply.status !== 200) expect(reply).toMatchObject({ status: 409, body: { code: 'settlement_pending' } });
    await endsWell();
  });

  test('shows a broadcast by a stranger: it counts once', async () => {
    wire().set('drop-before', { method: 'eth_sendRawTransaction' });
    expect(await purchase.pay(payment)).toMatchObject({ status: 409 });
    const tx = await broadcastTransfer(purchase.token, purchase.terms.rail, payment);
    const settled = await purchase.pay(payment);
    expect(settled).toMatchObject({ status: 200, body: { payment: { tx } } });
    faultyRpc.mend();
    await endsWell();
  });

  test('refuses a payer without money: it settles once the payer is funded', async () => {
    wire().set('drop-before', { method: 'eth_sendRawTransaction' });
    expect(await purchase.pay(payment)).toMatchObject({ status: 409 });
    await emptyWallet(purchase.token, purchase.terms.rail, payment.authorization.from);
    faultyRpc.mend();
    expect(await purchase.pay(payment)).toMatchObject({ status: 409, body: { code: 'settlement_pending' } });
    await world.fund(payment.authorization.from);
    await endsWell();
  });
});
