import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  appendPaymentIdentifierToExtensions,
  declarePaymentIdentifierExtension,
  PAYMENT_IDENTIFIER,
} from '@x402/extensions/payment-identifier';
import { useFaultyWorld } from '../faulty-rpc.js';
import type { PurchaseFixture, SignedPurchase } from '../purchase-fixture.js';
import { PURCHASES } from '../purchases.js';
import { type HeaderFields, newIdempotencyKey } from '../raw-agent.js';
import { decodeBase64Json, encodeBase64Json } from '../x402.js';

const RAIL = 'usdc-base';
const TIMING = { waitMs: 600, pollMs: 10, pollMsMax: 50, stuckMs: 400, watchMs: 200 };
const { world, faultyRpc } = useFaultyWorld(TIMING);

const newIdentifier = () => `pay_${newIdempotencyKey()}`;
const failed = (status: number, code: string) => ({ status, body: { ok: false, code } });
const conflict = failed(409, 'payment_identifier_conflict');

/** Adds an id to a signed payment, as official clients do. */
function identified({ headers }: Pick<SignedPurchase, 'headers'>, id: string): HeaderFields {
  const payment = decodeBase64Json(headers['payment-signature']) as object;
  const extensions = appendPaymentIdentifierToExtensions(
    { [PAYMENT_IDENTIFIER]: declarePaymentIdentifierExtension() },
    id,
  );
  return { 'payment-signature': encodeBase64Json({ ...payment, extensions }) };
}

const transfersOf = async (purchase: PurchaseFixture, payments: readonly SignedPurchase[]) =>
  (await purchase.transfers(payments[0]!)).length;

test('an offer advertises the extension as its official package does', async () => {
  const { headers, body } = await (await PURCHASES['verify']!(world, RAIL)).offer();
  const declared = declarePaymentIdentifierExtension();
  expect(decodeBase64Json(headers.get('payment-required'))).toMatchObject({
    extensions: { [PAYMENT_IDENTIFIER]: declared },
  });
  expect(body['extensions']).toMatchObject({ [PAYMENT_IDENTIFIER]: declared, bazaar: {} });
});

test.each(Object.keys(PURCHASES))('a repeated %s with a new authorization is answered as before', async name => {
  const purchase = await PURCHASES[name]!(world, RAIL);
  const payments = [await purchase.sign(), await purchase.sign()];
  const id = newIdentifier();
  const first = await purchase.send(purchase.body(), identified(payments[0]!, id));
  expect(first).toMatchObject({ status: 200, body: { ok: true, paid: true } });
  const before = await world.service.stores.log.head();
  const again = await purchase.send(purchase.body(), identified(payments[1]!, id));
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect(again.headers.get('payment-response')).toBe(first.headers.get('payment-response'));
  expect([await world.service.stores.log.head(), await purchase.eventTypes(payments[1]!)]).toEqual([before, []]);
  expect(await transfersOf(purchase, payments)).toBe(1);
});

describe('a payment identifier', () => {
  let purchase: PurchaseFixture;
  let payments: readonly SignedPurchase[];
  let id: string;
  beforeAll(async () => {
    purchase = await PURCHASES['job']!(world, RAIL);
    payments = [await purchase.sign(), await purchase.sign(), await purchase.sign()];
    id = newIdentifier();
    expect(await purchase.send(purchase.body(), identified(payments[0]!, id))).toMatchObject({ status: 200 });
  });

  test('under another body or path is refused', async () => {
    const payment = identified(payments[1]!, id);
    expect(await purchase.send(purchase.body({ title: 'Another job' }), payment)).toMatchObject(conflict);
    const { agent, wallet } = purchase.terms;
    expect(await agent.post('verify', { wallet: wallet.address }, payment)).toMatchObject(conflict);
    expect(await purchase.eventTypes(payments[1]!)).toEqual([]);
  });

  test('belongs to its caller', async () => {
    const other = await PURCHASES['job']!(world, RAIL);
    const payment = await other.sign();
    expect(await other.send(other.body(), identified(payment, id))).toMatchObject({ status: 200 });
    expect(await transfersOf(other, [payment])).toBe(1);
  });

  test('with a malformed value is refused', async () => {
    for (const value of ['short', 'x'.repeat(129), `${'x'.repeat(20)} y`, 7]) {
      const payment = decodeBase64Json(payments[1]!.headers['payment-signature']) as object;
      const extensions = { [PAYMENT_IDENTIFIER]: { info: { required: false, id: value } } };
      const headers = { 'payment-signature': encodeBase64Json({ ...payment, extensions }) };
      const reply = await purchase.send(purchase.body(), headers);
      expect(reply).toMatchObject(failed(400, 'payment_signature'));
      expect(reply.body['error']).toContain('extensions.payment-identifier.info.id');
    }
  });

  test('in ten requests at the same time charges once', async () => {
    const busy = await PURCHASES['delegate']!(world, RAIL);
    const signed: SignedPurchase[] = [];
    for (let count = 0; count < 10; count += 1) signed.push(await busy.sign());
    const identifier = newIdentifier();
    const replies = await Promise.all(signed.map(each => busy.send(busy.body(), identified(each, identifier))));
    const outcomes = new Set(replies.map(({ status, body }) => (body['code'] as string | undefined) ?? status));
    expect([200, 'in_progress']).toEqual(expect.arrayContaining([...outcomes]));
    expect(outcomes).toContain(200);
    expect(await transfersOf(busy, signed)).toBe(1);
  });

  test('under which a payment is pending sends no second authorization', async () => {
    const pending = await PURCHASES['job']!(world, RAIL);
    const signed = [await pending.sign(), await pending.sign()];
    const identifier = newIdentifier();
    faultyRpc.of(RAIL).set('drop-before', { method: 'eth_sendRawTransaction' });
    const send = (payment: SignedPurchase, fields = {}) =>
      pending.send(pending.body(fields), identified(payment, identifier));
    expect(await send(signed[0]!)).toMatchObject(failed(409, 'settlement_pending'));
    expect(await send(signed[1]!)).toMatchObject(failed(409, 'settlement_pending'));
    expect(await send(signed[1]!, { title: 'Another job' })).toMatchObject(conflict);
    faultyRpc.mend();
    expect(await pending.payUntilSettled({ ...signed[1]!, headers: identified(signed[1]!, identifier) })).toMatchObject(
      {
        status: 200,
      },
    );
    expect([await transfersOf(pending, signed), await pending.eventTypes(signed[1]!)]).toEqual([1, []]);
  });

  test('is one with the idempotency key of its request', async () => {
    const both = await PURCHASES['job']!(world, RAIL);
    const signed = [await both.sign(), await both.sign(), await both.sign(), await both.sign()];
    const [identifier, other] = [newIdentifier(), newIdentifier()];
    const [key, otherKey] = [newIdempotencyKey(), newIdempotencyKey()];
    const send = (payment: SignedPurchase, identifier: string | null, key?: string, fields = {}) =>
      both.send(both.body(fields), {
        ...(identifier === null ? payment.headers : identified(payment, identifier)),
        ...(key !== undefined && { 'idempotency-key': key }),
      });
    const first = await send(signed[0]!, identifier, key);
    expect(first).toMatchObject({ status: 200 });
    for (const again of [
      await send(signed[1]!, null, key),
      await send(signed[1]!, identifier),
      await send(signed[1]!, identifier, otherKey),
      await send(signed[1]!, other, key),
      await send(signed[1]!, other),
      await send(signed[1]!, null, otherKey),
    ])
      expect([again.status, again.body]).toEqual([200, first.body]);
    // A second job of the same fields, under other keys.
    const [second, secondKey] = [newIdentifier(), newIdempotencyKey()];
    expect(await send(signed[2]!, second, secondKey)).toMatchObject({ status: 200 });
    expect(await send(signed[3]!, identifier, secondKey)).toMatchObject(conflict);
    expect(await send(signed[3]!, second, key)).toMatchObject(conflict);
    expect(await both.eventTypes(signed[3]!)).toEqual([]);
    expect(await transfersOf(both, signed)).toBe(2);
  });
});
