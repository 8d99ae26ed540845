import { expect, test } from '@jest/globals';
import { x402HTTPClient, x402Client } from '@x402/core/client';
import { parsePaymentRequired } from '@x402/core/schemas';
import { ExactEvmScheme } from '@x402/evm';
import { privateKeyToAccount } from 'viem/accounts';
import { checkLocally } from '#libs/payments/payload-checks.js';
import { readPaymentPayload } from '#libs/payments/payment-payload.js';
import { Payer } from './payer.js';
import { offerRefusal, paymentRequired } from '#libs/payments/offers.js';
import { RAILS } from '#libs/payments/rails.js';
import type { Refusal } from '#libs/kernel/refusal.js';
import { decodeBase64Json } from '../../x402.js';

const SETTINGS = { baseUrl: 'https://jobs.example', v1Rails: 'registry' } as const;
const PRICE = {
  path: '/api/verify',
  description: 'A verified wallet.',
  amount: 1_000_000n,
  payTo: '0x1111111111111111111111111111111111111111',
  rails: RAILS,
};
const v2 = ({ details }: Refusal) =>
  decodeBase64Json(details.headers!['PAYMENT-REQUIRED']) as { accepts: { network: string }[] };
const v1 = ({ details, message }: Refusal) =>
  ({ error: message, ...details.more }) as unknown as { accepts: { network: string }[] };

test('the version 2 offer lists every rail in order and fits the x402 schema', async () => {
  const offered = v2(await paymentRequired(PRICE, SETTINGS));
  const parsed = parsePaymentRequired(offered);
  expect(parsed.success).toBe(true);
  expect(parsed.data?.x402Version).toBe(2);
  expect(offered).toMatchObject({
    error: 'payment required',
    resource: { url: 'https://jobs.example/api/verify', mimeType: 'application/json' },
    accepts: [
      { network: 'eip155:4663', amount: '1000000' },
      { network: 'eip155:8453', maxTimeoutSeconds: 300 },
    ],
  });
});

test('the version 1 offer lists rails of the registry and fits the x402 schema', async () => {
  const refused = await paymentRequired(PRICE, SETTINGS, 'It has no signature.');
  const parsed = parsePaymentRequired(v1(refused));
  expect(parsed.success).toBe(true);
  expect(parsed.data?.x402Version).toBe(1);
  expect(refused.code).toBe('payment_required');
  expect(refused.details.headers!['cache-control']).toBe('no-store');
  expect(refused.details.more).toEqual({
    x402Version: 1,
    unsigned: 'It has no signature.',
    extensions: { 'payment-identifier': expect.objectContaining({ info: { required: false } }) },
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

test('the version 1 offer lists all rails if configured and is never empty', async () => {
  const all = await paymentRequired(PRICE, { ...SETTINGS, v1Rails: 'all' });
  const one = await paymentRequired({ ...PRICE, rails: [RAILS[0]!] }, SETTINGS);
  expect(v1(all).accepts.map(({ network }) => network)).toEqual(['robinhood', 'base']);
  expect(v1(one).accepts.map(({ network }) => network)).toEqual(['robinhood']);
});

test('both versions of an offer have the reason of a failed check and extensions', async () => {
  const extensions = (path: string) => ({ header: { bazaar: { path } }, body: { bazaar: { path, schema: {} } } });
  const refused = await offerRefusal(PRICE, { ...SETTINGS, extensions, error: 'Too little.', code: 'wrong_amount' });
  expect(refused).toMatchObject({ code: 'wrong_amount', message: 'Too little.' });
  expect(v2(refused)).toMatchObject({ error: 'Too little.', extensions: { bazaar: { path: '/api/verify' } } });
  expect(refused.details.more).toMatchObject({ extensions: { bazaar: { path: '/api/verify', schema: {} } } });
  expect(refused.details.more).not.toHaveProperty('unsigned');
});

test('the official client reads the offer and creates a valid payment', async () => {
  const refused = await paymentRequired(PRICE, SETTINGS);
  const payer = new Payer('official');
  const client = new x402Client().register(
    'eip155:*',
    new ExactEvmScheme(privateKeyToAccount(payer.wallet.privateKey as `0x${string}`)),
  );
  const http = new x402HTTPClient(client);
  const header = (name: string) => refused.details.headers![name.toUpperCase()];
  const payment = await client.createPaymentPayload(http.getPaymentRequiredResponse(header, v1(refused)));
  expect(payment.accepted).toMatchObject({ network: 'eip155:8453', amount: '1000000', payTo: PRICE.payTo });
  const presented = readPaymentPayload({
    paymentSignature: http.encodePaymentSignatureHeader(payment)['PAYMENT-SIGNATURE'],
  })!;
  expect(checkLocally(presented, { ...PRICE, things: [], owner: '', subject: null }, Date.now())).toBeNull();
});
