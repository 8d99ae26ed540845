import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { PAYMENT_REFUSALS } from '#libs/payments/payment-limits.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { type Reply, send } from '../raw-agent.js';
import { PURCHASES } from '../purchases.js';
import { type SignedPurchase, PurchaseFixture } from '../purchase-fixture.js';
import { useFaultyWorld } from '../faulty-rpc.js';
import { newFolder } from '../world.js';
import { waitUntil } from '../wait-until.js';

// Allows more jobs than the default, since this file tests the limit of refused payments.
const folder = newFolder();
const file = join(folder, 'limits.json');
writeFileSync(file, JSON.stringify({ job: { points: 20, seconds: 60 } }));
const { world, faultyRpc } = useFaultyWorld({}, { folder, settings: { RATE_LIMITS: file } });

const waitForCall = (purchase: PurchaseFixture, method: string) =>
  waitUntil(() => faultyRpc.of(purchase.terms.rail).seen.flat().includes(method));

/** Runs an action while the chain holds back its response to a payment. */
async function meanwhile<T>(
  purchase: PurchaseFixture,
  payment: SignedPurchase,
  happens: () => Promise<T>,
  method = 'eth_call',
): Promise<[T, Reply]> {
  const wire = faultyRpc.of(purchase.terms.rail);
  let letGo = () => {};
  faultyRpc.mend();
  wire.set({ until: new Promise<void>(resolve => (letGo = resolve)) }, { method, times: 1 });
  const late = purchase.pay(payment);
  await waitForCall(purchase, method);
  const happened = await happens();
  letGo();
  return [happened, await late];
}

/** Returns the public data of the newest event of a type in the stream of a hire. */
async function dataOf(hire: string, type: string): Promise<JsonObject> {
  const { body } = await send(world.url, `/api/events?stream=hire-${hire}&types=${type}`);
  return (body['events'] as unknown as { readonly data: JsonObject }[]).at(-1)!.data;
}

describe.each(['pay', 'verify', 'identity'])('two payments for one %s', name => {
  test.each(['usdc-base', 'usdg-robinhood'])('the second one charges nothing on %s', async rail => {
    const purchase = await PURCHASES[name]!(world, rail);
    const [first, second] = [await purchase.sign(), await purchase.sign()];
    const [early, late] = await meanwhile(purchase, second, () => purchase.pay(first));
    const { tx } = early.body['payment'] as { readonly tx: string };
    expect([early.status, early.body['paid']]).toEqual([200, true]);
    expect(await purchase.transfers(first)).toMatchObject([{ tx }]);
    expect(late).toMatchObject({ status: 200, body: { payment: null } });
    expect(await purchase.eventTypes(second)).toEqual(['PaymentAccepted', 'PaymentRefused']);
    expect(await purchase.pay(second)).toMatchObject({ status: 200, body: { payment: null } });
    expect((await purchase.pay(first)).body).toEqual(early.body);
  });
});

test.each(['recipient', 'sender'])('a paid message whose %s is gone is not delivered and not void', async gone => {
  const rail = 'usdc-base';
  const [reader, sender] = [await PURCHASES['verify']!(world, rail), await world.raw(`sender ${gone}`)];
  expect(await reader.buy()).toMatchObject({ status: 200 });
  const fields = { to: reader.terms.agent.museId, text: 'Are you free on Monday?' };
  const purchase = new PurchaseFixture(world, {
    endpoint: 'message',
    agent: sender,
    wallet: sender.wallet,
    fields,
    rail,
  });
  const signed = await purchase.sign();
  const agent = gone === 'sender' ? sender : reader.terms.agent;
  const [, { status, body }] = await meanwhile(
    purchase,
    signed,
    () => agent.post('forget', { confirm: agent.museId }),
    'eth_sendRawTransaction',
  );
  expect([status, body]).toMatchObject([
    200,
    { ok: true, paid: true, delivered: false, payment: { payer: sender.wallet.address } },
  ]);
  if (gone === 'recipient') expect(body).toMatchObject({ to: fields.to });
  expect(body).not.toHaveProperty('id');
  expect(body).not.toHaveProperty('void');
  const events = await send(world.url, `/api/events?types=PaymentApplied&muse_id=${sender.museId}`);
  expect(events.body).toMatchObject({ events: [{ data: { outcome: 'applied' } }] });
});

test.each(['promote', 'message', 'job'])(
  'a payment for one %s that lost to another returns what the other bought',
  async name => {
    const purchase = await PURCHASES[name]!(world, 'usdc-base');
    const [first, second] = [await purchase.sign(), await purchase.sign()];
    const wire = faultyRpc.of('usdc-base');
    let early: Promise<Reply> | undefined;
    const [, late] = await meanwhile(purchase, second, async () => {
      wire.set({ status: 503 }, { method: 'eth_sendRawTransaction' });
      early = purchase.pay(first);
      await waitForCall(purchase, 'eth_sendRawTransaction');
    });
    expect(late).toMatchObject({ status: 409, body: { code: 'settlement_pending' } });
    faultyRpc.mend();
    const bought = await early!;
    expect(bought).toMatchObject({ status: 200, body: { paid: true } });
    const { paid: _paid, payment: _payment, extensions: _receipt, ...made } = bought.body;
    for (let times = 0; times < 2; times += 1) {
      const again = await purchase.pay(second);
      expect([again.status, again.body]).toEqual([200, { ...made, paid: false, payment: null }]);
      expect(again.headers.get('payment-response')).toBeNull();
    }
    expect(await purchase.transfers(second)).toMatchObject([{ tx: (bought.body['payment'] as JsonObject)['tx'] }]);
  },
);

test('a payment that settles during its own retry succeeds and counts no refusal', async () => {
  const purchase = await PURCHASES['job']!(world, 'usdc-base');
  for (let times = 0; times < PAYMENT_REFUSALS.points; times += 1) {
    const payment = await purchase.sign();
    const [early, late] = await meanwhile(purchase, payment, () => purchase.pay(payment));
    expect([late.status, late.body]).toEqual([200, early.body]);
  }
  expect(await purchase.buy()).toMatchObject({ status: 200 });
});

test('a key that registers while its identity is paid for gets a new offer', async () => {
  const purchase = await PURCHASES['identity']!(world, 'usdc-base');
  const { agent, fields } = purchase.terms;
  const payment = await purchase.sign();
  const [, late] = await meanwhile(purchase, payment, () => agent.register(String(fields['name'])));
  expect(late).toMatchObject({ status: 402, body: { code: 'authorization_refused' } });
  expect(await purchase.transfers(payment)).toEqual([]);
  expect(await purchase.buy()).toMatchObject({ status: 200, body: { created: false, verified: true } });
});

test('a delivery stays the latest while it is paid for', async () => {
  const worker = await world.raw('Worker who delivers twice');
  const purchase = await PURCHASES['pay']!(world, 'usdc-base', worker);
  const { hire } = purchase.terms.fields as { readonly hire: string };
  const payment = await purchase.sign();
  faultyRpc.mend();
  faultyRpc.of('usdc-base').set({ status: 503 }, { method: 'eth_sendRawTransaction' });
  const paid = purchase.pay(payment);
  await waitForCall(purchase, 'eth_sendRawTransaction');
  const again = await worker.post('deliver', { hire, url: world.page('another page') });
  expect(again).toMatchObject({ status: 409, body: { code: 'settlement_pending', retry_after: 2, retryable: true } });
  faultyRpc.mend();
  expect(await paid).toMatchObject({ status: 200, body: { paid: true } });
  const { payment: id, delivery, digest } = await dataOf(hire, 'WageStarted');
  expect([delivery, digest]).toEqual([1, expect.stringMatching(/^[0-9a-f]{64}$/)]);
  expect(await dataOf(hire, 'Paid')).toMatchObject({ payment: id, delivery, digest });
  const after = await worker.post('deliver', { hire, url: world.page('another page') });
  expect(after).toMatchObject({ status: 409, body: { code: 'already_paid' } });
});

test('a delivery that is replaced during its payment is not paid for, however often', async () => {
  const worker = await world.raw('Worker who swaps');
  const purchase = await PURCHASES['pay']!(world, 'usdc-base', worker);
  const { hire } = purchase.terms.fields as { readonly hire: string };
  let digest: unknown;
  for (let times = 0; times <= PAYMENT_REFUSALS.points; times += 1) {
    const payment = await purchase.sign();
    const swap = () => worker.post('deliver', { hire, url: world.page(`not what the poster saw ${times}`) });
    const [swapped, late] = await meanwhile(purchase, payment, swap);
    expect(swapped).toMatchObject({ status: 200, body: { settlement: 'delivered' } });
    expect(late).toMatchObject({ status: 409, body: { code: 'delivery_changed' } });
    expect(await purchase.transfers(payment)).toEqual([]);
    digest = swapped.body['digest'];
  }
  expect(await purchase.buy()).toMatchObject({ status: 200, body: { paid: true } });
  expect(await dataOf(hire, 'Paid')).toMatchObject({ delivery: PAYMENT_REFUSALS.points + 2, digest });
});
