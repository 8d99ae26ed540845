import { expect, test } from '@jest/globals';
import { x402HTTPClient, x402Client } from '@x402/core/client';
import { parsePaymentRequired } from '@x402/core/schemas';
import { offer, paymentRequired } from '#libs/payments/offers.js';
import { RAILS } from '#libs/payments/rails.js';
import type { Refusal } from '#libs/kernel/refusal.js';
import { unbase64 } from './bench.js';

const SETTINGS = { baseUrl: 'https://jobs.example', v1Rails: 'registry' } as const;
const PRICE = {
  path: '/api/verify',
  description: 'A verified wallet.',
  amount: 1_000_000n,
  payTo: '0x1111111111111111111111111111111111111111',
  rails: RAILS,
};
const v2 = ({ details }: Refusal) => unbase64(details.headers!['PAYMENT-REQUIRED']) as { accepts: { network: string }[] };
const v1 = ({ details, message }: Refusal) => ({ error: message, ...details.more }) as unknown as { accepts: { network: string }[] };

test('the version 2 offer lists every rail in order and fits the schema of x402', () => {
  const offered = v2(paymentRequired(PRICE, SETTINGS));
  const parsed = parsePaymentRequired(offered);
  expect(parsed.success).toBe(true);
  expect(parsed.data?.x402Version).toBe(2);
  expect(offered).toMatchObject({
    error: 'payment required',
    resource: { url: 'https://jobs.example/api/verify', mimeType: 'application/json' },
    accepts: [{ network: 'eip155:4663', amount: '1000000' }, { network: 'eip155:8453', maxTimeoutSeconds: 300 }],
  });
});

test('the version 1 offer lists what the registry knows and fits the schema of x402', () => {
  const refused = paymentRequired(PRICE, SETTINGS, 'It has no signature.');
  const parsed = parsePaymentRequired(v1(refused));
  expect(parsed.success).toBe(true);
  expect(parsed.data?.x402Version).toBe(1);
  expect(refused.code).toBe('payment_required');
  expect(refused.details.headers!['cache-control']).toBe('no-store');
  expect(refused.details.more).toEqual({
    x402Version: 1,
    unsigned: 'It has no signature.',
    accepts: [
      {
        scheme: 'exact',
        network: 'base',
        maxAmountRequired: '1000000',
        resource: 'https://jobs.example/api/verify',
        description: 'A verified wallet.',
        mimeType: 'application/json',
        payTo: PRICE.payTo,
        maxTimeoutSeconds: 300,
        asset: RAILS[1]!.asset,
        extra: { name: 'USD Coin', version: '2' },
      },
    ],
  });
});

test('the version 1 list names every rail by its short name where the setting says so, and never is empty', () => {
  const all = paymentRequired(PRICE, { ...SETTINGS, v1Rails: 'all' });
  const one = paymentRequired({ ...PRICE, rails: [RAILS[0]!] }, SETTINGS);
  expect(v1(all).accepts.map(({ network }) => network)).toEqual(['robinhood', 'base']);
  expect(v1(one).accepts.map(({ network }) => network)).toEqual(['robinhood']);
});

test('a failed check says why in both versions, and extensions stand in the second', () => {
  const extensions = (path: string) => ({ bazaar: { path } });
  const refused = offer(PRICE, { ...SETTINGS, extensions, error: 'Too little.', code: 'wrong_amount' });
  expect(refused).toMatchObject({ code: 'wrong_amount', message: 'Too little.' });
  expect(v2(refused)).toMatchObject({ error: 'Too little.', extensions: { bazaar: { path: '/api/verify' } } });
  expect(refused.details.more).not.toHaveProperty('unsigned');
});

test('the official client reads the offer and pays an entry of it', async () => {
  const refused = paymentRequired(PRICE, SETTINGS);
  const scheme = { scheme: 'exact', createPaymentPayload: async () => ({ x402Version: 2, payload: { paid: true } }) };
  const client = new x402Client().register('eip155:8453', scheme);
  const required = new x402HTTPClient(client).getPaymentRequiredResponse(
    name => refused.details.headers![name] ?? refused.details.headers![name.toUpperCase()],
    v1(refused),
  );
  const payment = await client.createPaymentPayload(required);
  expect(payment.accepted).toMatchObject({ network: 'eip155:8453', amount: '1000000', payTo: PRICE.payTo });
});
