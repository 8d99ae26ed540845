import { afterAll, afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { RAILS } from '#libs/payments/rails.js';
import { HEADER_BYTES_MAX, HeaderSizes, LONG_BASE_URL } from '../header-sizes.js';
import type { Reply } from '../raw-agent.js';
import { PURCHASES } from '../purchases.js';
import { broadcastTransfer, cancelAuthorization } from '../third-party.js';
import { settlementOf, type SignedPurchase, type PurchaseFixture } from '../purchase-fixture.js';
import { useFaultyWorld } from '../faulty-rpc.js';
import { readOffer } from '../x402.js';

const TIMING = { waitMs: 900, pollMs: 10, pollMsMax: 50, stuckMs: 400, watchMs: 10 * MINUTE_MS };
const SETTLED = ['PaymentAccepted', 'PaymentSubmitted', 'PaymentSettled', 'PaymentApplied'];
const sizes = new HeaderSizes();
const { world, faultyRpc } = useFaultyWorld(TIMING, { settings: { BASE_URL: LONG_BASE_URL } });
afterEach(() => void jest.restoreAllMocks());
afterAll(() => sizes.stop());

const head = () => world.service.stores.log.head();
const failed = (status: number, code: string) => ({ status, body: { ok: false, code } });
/** Asserts that a reply has no settlement because nothing was sent. */
const unsent = ({ headers }: Reply) =>
  expect([headers.get('payment-response'), headers.get('x-payment-response')]).toEqual([null, null]);
const offered = (reply: Reply, code: string) => {
  expect(reply).toMatchObject(failed(402, code));
  expect(readOffer(reply)).toMatchObject({ x402Version: 2, accepts: expect.anything() });
  expect(readOffer(reply).accepts.length).toBeGreaterThan(0);
  expect(reply.body).toMatchObject({ x402Version: 1, retryable: true });
  expect(reply.headers.get('cache-control')).toBe('no-store');
};

/** All prepared purchases with one of the two rails each. */
const PAID_ENDPOINTS = Object.keys(PURCHASES).map((name, at) => [name, RAILS[at % 2]!.name] as const);

describe.each(PAID_ENDPOINTS)('%s on %s', (name, railName) => {
  const rail = RAILS.find(each => each.name === railName)!;
  let purchase: PurchaseFixture;
  let payment: SignedPurchase;
  beforeEach(async () => {
    purchase = await PURCHASES[name]!(world, railName);
    payment = await purchase.sign();
  });

  const charged = async () => (await purchase.transfers(payment)).length;

  /** Asserts that both headers say why the payment has not settled, and returns the one of version 2. */
  function unsuccessful(reply: Reply, code: string) {
    const { v2, v1 } = settlementOf(reply);
    expect(v2).toMatchObject({ success: false, errorReason: code, network: rail.network });
    expect(v1).toEqual({ ...v2, network: rail.short });
    return v2;
  }

  function refusedAfterSent(reply: Reply, code: string) {
    offered(reply, code);
    unsuccessful(reply, code);
  }

  function unsettled(reply: Reply, code: string) {
    expect(reply).toMatchObject(failed(409, code));
    expect(reply.body).toMatchObject({ retryable: true, retry_after: 2 });
    expect(reply.headers.get('retry-after')).toBe('2');
    return unsuccessful(reply, code);
  }

  test('settled: returns the payment in both headers and the same response on a retry', async () => {
    const body = purchase.body();
    const reply = await purchase.payUntilSettled(payment, body);
    const [transfer, ...more] = await purchase.transfers(payment);
    const { from: payer, value: amount } = payment.authorization;
    expect(more).toEqual([]);
    expect(transfer!.amount).toBe(BigInt(amount));
    const shown = { tx: transfer!.tx, network: rail.short, payer, amount };
    expect(reply).toMatchObject({ status: 200, body: { ok: true, paid: true, payment: shown } });
    const settlement = { success: true, transaction: transfer!.tx, payer };
    expect(settlementOf(reply)).toEqual({
      v2: { ...settlement, network: rail.network, extensions: reply.body['extensions'] },
      v1: { ...settlement, network: rail.short },
    });
    expect(await purchase.eventTypes(payment)).toEqual(SETTLED);
    const written = await head();
    for (const again of [
      await purchase.send(body, payment.headers),
      await purchase.send(body),
      await purchase.pay(payment),
    ]) {
      expect(again).toMatchObject({ status: 200, body: reply.body });
      expect(settlementOf(again)).toEqual(settlementOf(reply));
    }
    expect([await charged(), await head()]).toEqual([1, written]);
  });

  test('unpaid: returns the offer in header and body and stores nothing', async () => {
    const written = await head();
    const reply = await purchase.offer();
    offered(reply, 'payment_required');
    unsent(reply);
    const { authorization } = payment;
    const [entry] = readOffer(reply).accepts.filter(({ network }) => network === rail.network);
    expect(entry).toMatchObject({ payTo: authorization.to, amount: authorization.value, maxTimeoutSeconds: 300 });
    expect(reply.headers.get('access-control-expose-headers')!.split(/, */)).toEqual(
      expect.arrayContaining(['payment-required', 'payment-response', 'x-payment-response', 'retry-after']),
    );
    expect(await head()).toBe(written);
  });

  test('invalid payment: returns the reason and a new offer without a settlement', async () => {
    const written = await head();
    const wrong = await purchase.sign({ value: '1' });
    const reply = await purchase.pay(wrong);
    offered(reply, 'wrong_amount');
    unsent(reply);
    expect([await purchase.eventTypes(wrong), await head()]).toEqual([[], written]);
    expect(await purchase.payUntilSettled(payment)).toMatchObject({ status: 200 });
  });

  test('payment used elsewhere before: is refused', async () => {
    await broadcastTransfer(purchase.token, railName, payment);
    const written = await head();
    const reply = await purchase.pay(payment);
    offered(reply, 'authorization_used');
    unsent(reply);
    expect([await purchase.eventTypes(payment), await head()]).toEqual([[], written]);
    expect(await purchase.buy()).toMatchObject({ status: 200 });
    expect(await charged()).toBe(2);
  });

  test('chain unreachable: returns 503 without writing or sending', async () => {
    const written = await head();
    faultyRpc.of(railName).set('refuse');
    const reply = await purchase.pay(payment);
    expect(reply).toMatchObject(failed(503, 'payments_unavailable'));
    expect(reply.headers.get('retry-after')).toBe('5');
    unsent(reply);
    expect([await purchase.eventTypes(payment), await head(), await charged()]).toEqual([[], written, 0]);
    faultyRpc.mend();
    expect(await purchase.payUntilSettled(payment)).toMatchObject({ status: 200 });
    expect(await charged()).toBe(1);
  });

  test('sent and unconfirmed: returns 409 with the transaction to every caller', async () => {
    faultyRpc.of(railName).set('drop-before', { method: 'eth_getTransactionReceipt' });
    const body = purchase.body();
    const v2 = unsettled(await purchase.send(body, payment.headers), 'settlement_pending');
    expect(await purchase.transfers(payment)).toMatchObject([{ tx: v2['transaction'] }]);
    expect(v2['payer']).toBe(payment.authorization.from);
    const other = unsettled(await purchase.offer(), 'settlement_pending');
    expect(other).toMatchObject({ transaction: '' });
    faultyRpc.mend();
    const settled = await purchase.payUntilSettled(payment, body);
    expect(settled).toMatchObject({ status: 200, body: { payment: { tx: v2['transaction'] } } });
    expect(await purchase.pay(payment)).toMatchObject({ status: 200, body: settled.body });
    expect([await charged(), await purchase.eventTypes(payment)]).toEqual([1, SETTLED]);
  });

  test('outcome unknown: returns 409, and a retry charges once', async () => {
    const log = world.service.stores.log;
    const append = log.append.bind(log);
    jest.spyOn(log, 'append').mockImplementation(async (stream, ...rest) => {
      if (stream.startsWith('payment-')) throw new Unavailable('The event log');
      return append(stream, ...rest);
    });
    unsettled(await purchase.pay(payment), 'settlement_unknown');
    expect(await charged()).toBe(0);
    jest.restoreAllMocks();
    expect(await purchase.payUntilSettled(payment)).toMatchObject({ status: 200 });
    expect([await charged(), await purchase.eventTypes(payment)]).toEqual([1, SETTLED]);
  });

  test('sent but unsettleable: returns 402, charges nothing and refuses a retry', async () => {
    faultyRpc.of(railName).set('drop-before', { method: 'eth_sendRawTransaction' });
    unsettled(await purchase.pay(payment), 'settlement_pending');
    await cancelAuthorization(purchase.token, railName, purchase.terms.wallet, payment.authorization.nonce);
    faultyRpc.mend();
    refusedAfterSent(await purchase.payUntilSettled(payment), 'authorization_spent');
    expect((await purchase.eventTypes(payment)).at(-1)).toBe('PaymentRefused');
    const again = await purchase.pay(payment);
    offered(again, 'authorization_refused');
    unsent(again);
    expect(await charged()).toBe(0);
    expect(await purchase.buy()).toMatchObject({ status: 200 });
    expect(await charged()).toBe(1);
  });

  test('sent and expired: returns 402 after a later block and refuses the payment again', async () => {
    faultyRpc.of(railName).set('drop-before', { method: 'eth_sendRawTransaction' });
    unsettled(await purchase.pay(payment), 'settlement_pending');
    await world.advance(4 * MINUTE_MS);
    unsettled(await purchase.pay(payment), 'settlement_pending');
    await world.advance(1.1 * MINUTE_MS);
    faultyRpc.mend();
    refusedAfterSent(await purchase.payUntilSettled(payment), 'authorization_expired');
    expect((await purchase.eventTypes(payment)).at(-1)).toBe('PaymentExpired');
    offered(await purchase.pay(payment), 'authorization_refused');
    expect(await charged()).toBe(0);
    expect(await purchase.buy()).toMatchObject({ status: 200 });
  });

  test('reused for another request: only the first request succeeds', async () => {
    const other = await PURCHASES['job']!(world, railName);
    const reply = await purchase.payUntilSettled(payment);
    expect(reply).toMatchObject({ status: 200 });
    const written = await head();
    const used = await other.send(other.body(), payment.headers);
    expect(used).toMatchObject({ ...failed(409, 'payment_used'), body: { retryable: false } });
    unsent(used);
    expect([await charged(), await head()]).toEqual([1, written]);
  });
});

test('keeps the headers of every outcome below 3,500 bytes', () => {
  expect(sizes.atLeast(HEADER_BYTES_MAX)).toEqual([]);
  expect(sizes.atLeast(HEADER_BYTES_MAX / 2)).not.toEqual([]);
});
