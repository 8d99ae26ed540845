import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { RAILS } from '#libs/payments/rails.js';
import type { Reply } from '../raw-agent.js';
import { COUNTERS, SHOP } from '../shop.js';
import { broadcast, cancel } from '../stranger.js';
import { settlementOf, type Signature, type Till } from '../till.js';
import { Wires } from '../wires.js';
import { CLEAN, World } from '../world.js';
import { offerOf } from '../x402.js';

/** Every outcome of a payment (interface section 3.4) at every paid endpoint. */
const wires = new Wires();
const TIMING = { waitMs: 900, pollMs: 10, pollMsMax: 50, stuckMs: 400, watchMs: 10 * MINUTE_MS };
const SETTLED = ['PaymentAccepted', 'PaymentSubmitted', 'PaymentSettled', 'PaymentApplied'];
let world: World;
beforeAll(async () => {
  world = await World.start({ overrides: { chains: wires.chains, payments: { timing: TIMING } } });
});
afterEach(() => {
  wires.mend();
  jest.restoreAllMocks();
});
afterAll(async () => {
  await world.stop();
  await wires.stop();
});

const head = () => world.service.stores.log.head();
const failed = (status: number, code: string) => ({ status, body: { ok: false, code } });
/** A reply carries no settlement: nothing was sent. */
const unsent = ({ headers }: Reply) =>
  expect([headers.get('payment-response'), headers.get('x-payment-response')]).toEqual([null, null]);
const offered = (reply: Reply, code: string) => {
  expect(reply).toMatchObject(failed(402, code));
  expect(offerOf(reply)).toMatchObject({ x402Version: 2, accepts: expect.anything() });
  expect(offerOf(reply).accepts.length).toBeGreaterThan(0);
  expect(reply.body).toMatchObject({ x402Version: 1, retryable: true });
  expect(reply.headers.get('cache-control')).toBe('no-store');
};

describe.each(COUNTERS)('%s on %s', (name, railName) => {
  const rail = RAILS.find(each => each.name === railName)!;
  let till: Till;
  let payment: Signature;
  beforeEach(async () => {
    till = await SHOP[name]!(world, railName);
    payment = await till.sign();
  });

  const charged = async () => (await till.charged(payment)).length;

  function refusedAfterSent(reply: Reply, code: string) {
    offered(reply, code);
    const { v2, v1 } = settlementOf(reply);
    expect(v2).toMatchObject({ success: false, errorReason: code, network: rail.network });
    expect(v1).toEqual({ ...v2, network: rail.short });
  }

  function unsettled(reply: Reply, code: string) {
    expect(reply).toMatchObject(failed(409, code));
    expect(reply.body).toMatchObject({ retryable: true, retry_after: 2 });
    expect(reply.headers.get('retry-after')).toBe('2');
    const { v2, v1 } = settlementOf(reply);
    expect(v2).toMatchObject({ success: false, errorReason: code, network: rail.network });
    expect(v1).toEqual({ ...v2, network: rail.short });
    return v2;
  }

  test('settled: what was paid, in both headers, and the same answer to whoever repeats it', async () => {
    const body = till.body();
    const reply = await till.send(body, payment.headers);
    const [transfer, ...more] = await till.charged(payment);
    const { from: payer, value: amount } = payment.authorization;
    expect(more).toEqual([]);
    expect(transfer!.amount).toBe(BigInt(amount));
    const shown = { tx: transfer!.tx, network: rail.short, payer, amount };
    expect(reply).toMatchObject({ status: 200, body: { ok: true, paid: true, payment: shown } });
    const settlement = { success: true, transaction: transfer!.tx, payer };
    expect(settlementOf(reply)).toEqual({
      v2: { ...settlement, network: rail.network },
      v1: { ...settlement, network: rail.short },
    });
    expect(await till.story(payment)).toEqual(SETTLED);
    const written = await head();
    for (const again of [await till.send(body, payment.headers), await till.send(body), await till.pay(payment)]) {
      expect(again).toMatchObject({ status: 200, body: reply.body });
      expect(settlementOf(again)).toEqual(settlementOf(reply));
    }
    expect([await charged(), await head()]).toEqual([1, written]);
  });

  test('not paid: the offer in header and body, and nothing is stored', async () => {
    const written = await head();
    const reply = await till.offer();
    offered(reply, 'payment_required');
    unsent(reply);
    const { authorization } = payment;
    const [entry] = offerOf(reply).accepts.filter(({ network }) => network === rail.network);
    expect(entry).toMatchObject({ payTo: authorization.to, amount: authorization.value, maxTimeoutSeconds: 300 });
    expect(reply.headers.get('access-control-expose-headers')!.split(/, */)).toEqual(
      expect.arrayContaining(['payment-required', 'payment-response', 'x-payment-response', 'retry-after']),
    );
    expect(await head()).toBe(written);
  });

  test('a payment that fails a check: the reason and a fresh offer, and no settlement', async () => {
    const written = await head();
    const wrong = await till.sign({ value: '1' });
    const reply = await till.pay(wrong);
    offered(reply, 'wrong_amount');
    unsent(reply);
    expect([await till.story(wrong), await head()]).toEqual([[], written]);
    expect(await till.pay(payment)).toMatchObject({ status: 200 });
  });

  test('used before it came here: it was a payment for something else', async () => {
    await broadcast(till.token, railName, payment);
    const written = await head();
    const reply = await till.pay(payment);
    offered(reply, 'authorization_used');
    unsent(reply);
    expect([await till.story(payment), await head()]).toEqual([[], written]);
    expect(await till.buy()).toMatchObject({ status: 200 });
    expect(await charged()).toBe(2);
  });

  test('nothing could be checked: 503, and nothing was written down or sent', async () => {
    const written = await head();
    wires.of(railName).set('refuse');
    const reply = await till.pay(payment);
    expect(reply).toMatchObject(failed(503, 'payments_unavailable'));
    expect(reply.headers.get('retry-after')).toBe('5');
    unsent(reply);
    expect([await till.story(payment), await head(), await charged()]).toEqual([[], written, 0]);
    wires.mend();
    expect(await till.pay(payment)).toMatchObject({ status: 200 });
    expect(await charged()).toBe(1);
  });

  test('sent, not confirmed yet: 409 with the transaction, to everybody who asks for the thing', async () => {
    wires.of(railName).set('drop-before', { method: 'eth_getTransactionReceipt' });
    const body = till.body();
    const v2 = unsettled(await till.send(body, payment.headers), 'settlement_pending');
    expect(await till.charged(payment)).toMatchObject([{ tx: v2['transaction'] }]);
    expect(v2['payer']).toBe(payment.authorization.from);
    const other = unsettled(await till.offer(), 'settlement_pending');
    expect(other).toMatchObject({ transaction: '' });
    wires.mend();
    const settled = await till.send(body, payment.headers);
    expect(settled).toMatchObject({ status: 200, body: { payment: { tx: v2['transaction'] } } });
    expect(await till.pay(payment)).toMatchObject({ status: 200, body: settled.body });
    expect([await charged(), await till.story(payment)]).toEqual([1, SETTLED]);
  });

  test('nobody can tell: 409, and the same payment again is one charge', async () => {
    const log = world.service.stores.log;
    const append = log.append.bind(log);
    jest.spyOn(log, 'append').mockImplementation(async (stream, ...rest) => {
      if (stream.startsWith('payment-')) throw new Unavailable('The event log');
      return append(stream, ...rest);
    });
    unsettled(await till.pay(payment), 'settlement_unknown');
    expect(await charged()).toBe(0);
    jest.restoreAllMocks();
    expect(await till.pay(payment)).toMatchObject({ status: 200 });
    expect([await charged(), await till.story(payment)]).toEqual([1, SETTLED]);
  });

  test('sent and can never settle: 402, nobody is charged, and the payment is not taken again', async () => {
    wires.of(railName).set('drop-before', { method: 'eth_sendRawTransaction' });
    unsettled(await till.pay(payment), 'settlement_pending');
    await cancel(till.token, railName, till.basket.wallet, payment.authorization.nonce);
    wires.mend();
    refusedAfterSent(await till.pay(payment), 'authorization_spent');
    expect((await till.story(payment)).at(-1)).toBe('PaymentRefused');
    const again = await till.pay(payment);
    offered(again, 'authorization_refused');
    unsent(again);
    expect(await charged()).toBe(0);
    expect(await till.buy()).toMatchObject({ status: 200 });
    expect(await charged()).toBe(1);
  });

  test('sent and its time is over: 402 once a later block shows it unused, and it is not taken again', async () => {
    wires.of(railName).set('drop-before', { method: 'eth_sendRawTransaction' });
    unsettled(await till.pay(payment), 'settlement_pending');
    await world.pass(4 * MINUTE_MS);
    unsettled(await till.pay(payment), 'settlement_pending');
    await world.pass(1.1 * MINUTE_MS);
    wires.mend();
    refusedAfterSent(await till.pay(payment), 'authorization_expired');
    expect((await till.story(payment)).at(-1)).toBe('PaymentExpired');
    offered(await till.pay(payment), 'authorization_refused');
    expect(await charged()).toBe(0);
    expect(await till.buy()).toMatchObject({ status: 200 });
  });

  test('one payment on two requests: the first wins', async () => {
    const other = await SHOP['job']!(world, railName);
    const reply = await till.pay(payment);
    expect(reply).toMatchObject({ status: 200 });
    const written = await head();
    const used = await other.send(other.body(), payment.headers);
    expect(used).toMatchObject({ ...failed(409, 'payment_used'), body: { retryable: false } });
    unsent(used);
    expect([await charged(), await head()]).toEqual([1, written]);
  });
});

test('nothing that happened cannot be audited', async () => expect(await world.audit()).toEqual(CLEAN));
