import { describe, expect, test } from '@jest/globals';
import { Refusal } from '#libs/kernel/refusal.js';
import { offerEntry } from '#libs/payments/offers.js';
import { PAYMENT_CHARS_MAX, readPaymentPayload, type PaymentCarriers } from '#libs/payments/payment-payload.js';
import { RAILS } from '#libs/payments/rails.js';
import { encodeBase64Json } from '../../x402.js';
import { Payer } from './payer.js';

const [usdg, usdc] = [RAILS[0]!, RAILS[1]!];
const PRICE = { path: '/api/verify', description: 'x', amount: 5n, payTo: `0x${'1'.repeat(40)}`, rails: RAILS };
const payer = new Payer('payer');
const payload = await payer.payload(PRICE, usdc, 1_700_000_000_000);
const v1 = (network: string, more: object = {}) =>
  encodeBase64Json({ x402Version: 1, scheme: 'exact', network, payload, ...more });
const v2 = (more: object = {}) =>
  encodeBase64Json({ x402Version: 2, accepted: offerEntry(PRICE, usdc), payload, ...more });

function refused(places: PaymentCarriers): Refusal {
  try {
    readPaymentPayload(places);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('It was read.');
}

test('reads a missing or empty field as no payment', () => {
  expect(readPaymentPayload({})).toBeNull();
  expect(readPaymentPayload({ field: '' })).toBeNull();
});

test('the payment id consists of chain, asset, payer and nonce in lower case', () => {
  const id = `8453:${usdc.asset}:${payer.address}:${payload.authorization.nonce}`.toLowerCase();
  expect(readPaymentPayload({ paymentSignature: v2() })).toMatchObject({
    version: 2,
    source: 'PAYMENT-SIGNATURE',
    paymentId: id,
  });
});

test('both versions of a payment have the same id in every field', () => {
  const one = readPaymentPayload({ xPayment: v1('base') })!;
  const two = readPaymentPayload({ field: v2() })!;
  expect(one).toMatchObject({ version: 1, source: 'X-PAYMENT', accepted: null, asset: usdc.asset });
  expect({ ...one, version: 2, source: 'x402_payment', accepted: two.accepted }).toEqual(two);
  expect(readPaymentPayload({ xPayment: v2() })!.version).toBe(2);
});

test.each([
  ['base', usdc],
  ['robinhood', usdg],
  ['eip155:8453', usdc],
  ['eip155:4663', usdg],
])('a version 1 payment can use the network name %s', (network, rail) => {
  expect(readPaymentPayload({ field: v1(network) })).toMatchObject({ network: rail.network, asset: rail.asset });
});

test('a payment is read without regard to letter case', () => {
  const { authorization, signature } = payload;
  const shouted = {
    ...authorization,
    from: `0x${authorization.from.slice(2).toUpperCase()}`,
    validAfter: Number(authorization.validAfter),
  };
  const upper = v2({ payload: { authorization: shouted, signature: `0x${signature.slice(2).toUpperCase()}` } });
  expect(readPaymentPayload({ field: upper })).toEqual(readPaymentPayload({ field: v2() }));
});

describe('a malformed payment', () => {
  test.each<[string, PaymentCarriers, string, string]>([
    ['in two headers', { paymentSignature: v2(), xPayment: v1('base') }, 'x_payment', 'X-PAYMENT'],
    ['that is not base64', { paymentSignature: '{"x402Version":2}' }, 'payment_signature', 'PAYMENT-SIGNATURE'],
    ['that is not JSON', { xPayment: Buffer.from('hello').toString('base64') }, 'x_payment', 'X-PAYMENT'],
    ['that is not an object', { field: encodeBase64Json('hello') }, 'x402_payment', 'x402_payment'],
    ['of an unknown version', { field: v2({ x402Version: 3 }) }, 'x402_payment', 'x402_payment'],
    ['without an offer entry', { field: v2({ accepted: undefined }) }, 'x402_payment', 'x402_payment'],
    ['without an authorization', { field: v2({ payload: { signature: '0x00' } }) }, 'x402_payment', 'x402_payment'],
    [
      'with a signature that is not hex',
      { field: v2({ payload: { ...payload, signature: 'x' } }) },
      'x402_payment',
      'x402_payment',
    ],
    ['larger than 16 KiB', { field: 'A'.repeat(PAYMENT_CHARS_MAX + 1) }, 'x402_payment', 'x402_payment'],
  ])('is refused by the name of its field: %s', (_name, places, code, field) => {
    expect(refused(places)).toMatchObject({ code, details: { field } });
  });

  test.each(['from', 'to', 'value', 'validAfter', 'validBefore', 'nonce'])('is refused with an invalid %s', name => {
    const authorization = { ...payload.authorization, [name]: '-1' };
    expect(refused({ field: v2({ payload: { ...payload, authorization } }) }).message).toContain(
      `authorization.${name}`,
    );
  });
});
