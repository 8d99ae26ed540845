import { beforeEach, expect, test } from '@jest/globals';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { PURCHASES } from '../purchases.js';
import { cancelAuthorization } from '../third-party.js';
import type { PurchaseFixture } from '../purchase-fixture.js';
import { useFaultyWorld } from '../faulty-rpc.js';
import { newIdempotencyKey } from '../raw-agent.js';
import { CLEAN } from '../world.js';
import { waitUntil } from '../wait-until.js';

const RAIL = 'usdc-base';
const WINDOW_MS = 10 * MINUTE_MS;
const TIMING = { waitMs: 600, pollMs: 10, pollMsMax: 50, stuckMs: 400, watchMs: 200 };
const { world, faultyRpc } = useFaultyWorld(TIMING, { settings: { RATE_LIMITS: 'dev' } });
// Starts a new hour so that no window ends during a test.
beforeEach(() => world.advance(HOUR_MS - (world.now() % HOUR_MS) + SECOND_MS));

const failed = (status: number, code: string) => ({ status, body: { ok: false, code } });

async function refuse(purchase: PurchaseFixture, times: number): Promise<void> {
  for (let done = 0; done < times; done += 1) {
    expect(await purchase.pay(await purchase.sign({ value: '1' }), { title: `Refused ${done}` })).toMatchObject(
      failed(402, 'wrong_amount'),
    );
  }
}

// Comes first: the service also asks the chain whether earlier payments are final.
test('after ten outages requests fail at once until a probe succeeds', async () => {
  const [purchase, elsewhere] = [
    await PURCHASES['verify']!(world, RAIL),
    await PURCHASES['verify']!(world, 'usdg-robinhood'),
  ];
  const payment = await purchase.sign();
  const proxy = faultyRpc.of(RAIL);
  const reachesChain = async (presented = payment) => {
    const before = proxy.seen.length;
    expect(await purchase.pay(presented)).toMatchObject(failed(503, 'payments_unavailable'));
    return proxy.seen.length > before;
  };
  proxy.set({ status: 500 });
  for (let outages = 0; outages < 10; outages += 1) expect(await reachesChain()).toBe(true);
  expect([await reachesChain(), await reachesChain(), await reachesChain()]).toEqual([true, false, false]);
  await world.advance(WINDOW_MS);
  const later = await purchase.sign();
  expect(await elsewhere.buy()).toMatchObject({ status: 200 });
  expect([await reachesChain(later), await reachesChain(later)]).toEqual([true, false]);
  proxy.clear();
  expect(await reachesChain(later)).toBe(false);
  await world.advance(5 * SECOND_MS);
  expect(await purchase.payUntilSettled(later)).toMatchObject({ status: 200 });
  expect(await (await PURCHASES['verify']!(world, RAIL)).buy()).toMatchObject({ status: 200 });
  expect(await purchase.transfers(later)).toHaveLength(1);
});

test('a muse with ten refused payments in ten minutes is limited, others are not', async () => {
  const [purchase, other] = [await PURCHASES['verify']!(world, RAIL), await PURCHASES['verify']!(world, RAIL)];
  await refuse(purchase, 10);
  const payment = await purchase.sign();
  const head = await world.service.stores.log.head();
  const body = purchase.body();
  const reply = await purchase.send(body, payment.headers);
  expect(reply).toMatchObject(failed(429, 'rate_limited'));
  expect(reply.body).toMatchObject({ limit: 'payment_refusals', retryable: true });
  const seconds = reply.body['retry_after'] as number;
  expect(seconds).toBeLessThanOrEqual(WINDOW_MS / SECOND_MS);
  expect(reply.headers.get('retry-after')).toBe(String(seconds));
  expect(await world.service.stores.log.head()).toBe(head);
  expect(await purchase.send(body)).toMatchObject(failed(402, 'payment_required'));
  expect(await other.buy()).toMatchObject({ status: 200 });
  await world.advance(seconds * SECOND_MS);
  expect(await purchase.buy()).toMatchObject({ status: 200 });
});

test('a payment that failed frees its nonce and its idempotency key', async () => {
  const purchase = await PURCHASES['job']!(world, RAIL);
  const payment = await purchase.sign();
  const other = { title: 'Another job than the one that was never paid for' };
  const first = purchase.body();
  const headers = { 'idempotency-key': newIdempotencyKey() };
  faultyRpc.of(RAIL).set('drop-before', { method: 'eth_sendRawTransaction' });
  const pending = await purchase.send(first, { ...headers, ...payment.headers });
  expect(pending).toMatchObject(failed(409, 'settlement_pending'));
  const { agent, fields } = purchase.terms;
  const again = () => agent.signed('job', { ...fields, ...other }, { nonce: first['nonce']! });
  // A pending payment blocks nonce and key.
  expect(await purchase.send(again())).toMatchObject(failed(409, 'nonce_used'));
  expect(await purchase.send(purchase.body(other), headers)).toMatchObject(failed(409, 'idempotency_conflict'));

  await cancelAuthorization(purchase.token, RAIL, purchase.terms.wallet, payment.authorization.nonce);
  faultyRpc.mend();
  await waitUntil(async () => (await purchase.eventTypes(payment)).at(-1) === 'PaymentRefused');
  expect(await purchase.send(again())).toMatchObject(failed(402, 'payment_required'));
  expect(await purchase.send(purchase.body(other), headers)).toMatchObject(failed(402, 'payment_required'));
  expect(await purchase.send(again(), { ...headers, ...(await purchase.sign()).headers })).toMatchObject({
    status: 200,
  });
  expect(await purchase.transfers(payment)).toHaveLength(1);
  expect(await world.audit()).toEqual(CLEAN);
});
