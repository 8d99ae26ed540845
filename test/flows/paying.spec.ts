import { beforeAll, describe, expect, test } from '@jest/globals';
import { ExactEvmScheme } from '@x402/evm';
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { Wallet } from 'ethers';
import { privateKeyToAccount } from 'viem/accounts';
import { DEV_SERVICE_WALLET } from '#libs/payments/devchain/accounts.js';
import { quickstart, RawAgent } from '../raw-agent.js';
import { encodeBase64Json, signPayload, decodeBase64Json, encodePaymentV1, encodePaymentV2 } from '../x402.js';
import { World } from '../world.js';
import { useWorld } from '../use-world.js';

const world = useWorld();
let poster: RawAgent;
beforeAll(async () => {
  poster = await world.raw('payer');
});

const summary = 'Twenty characters at least.';
let titles = 0;
const job = (rail = 'usdc-base', usd = '10') => {
  return { title: `Job ${(titles += 1)}`, summary, done: 'a thing is done', budget_usd: usd, rail };
};
const fees = (wallet = poster.wallet.address, rail = 'usdc-base') => world.token(rail).transfers(wallet);

describe('an offer', () => {
  test('has the price in both protocol versions and stores nothing', async () => {
    const before = await world.service.stores.log.head();
    const reply = await poster.post('job', job('usdc-base', '10.000001'));
    const entry = {
      scheme: 'exact',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      payTo: DEV_SERVICE_WALLET,
      maxTimeoutSeconds: 300,
      extra: { name: 'USD Coin', version: '2' },
    };
    const described = { description: expect.stringContaining('10.000001 USDC'), mimeType: 'application/json' };
    expect(reply).toMatchObject({ status: 402, body: { ok: false, x402Version: 1, error: 'payment required' } });
    expect(reply.body).toMatchObject({ code: 'payment_required', retryable: true });
    expect(reply.body['accepts']).toEqual([
      { ...entry, ...described, network: 'base', maxAmountRequired: '500001', resource: `${world.url}/api/job` },
    ]);
    expect(decodeBase64Json(reply.headers.get('payment-required'))).toMatchObject({
      x402Version: 2,
      error: 'payment required',
      resource: { url: `${world.url}/api/job`, ...described },
      accepts: [{ ...entry, network: 'eip155:8453', amount: '500001' }],
    });
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.body).not.toHaveProperty('unsigned');
    expect(await world.service.stores.log.head()).toBe(before);
  });

  test('lists all rails in version 1 if configured', async () => {
    const open = await World.start({ settings: { X402_V1_RAILS: 'all' } });
    const networks = async (agent: RawAgent) =>
      ((await agent.post('verify', { wallet: agent.wallet.address })).body['accepts'] as { network: string }[]).map(
        ({ network }) => network,
      );
    try {
      expect(await networks(await open.raw('lister'))).toEqual(['robinhood', 'base']);
      expect(await networks(poster)).toEqual(['base']);
    } finally {
      await open.stop();
    }
  });
});

describe('a payment', () => {
  test.each([
    ['usdc-base', 'header PAYMENT-SIGNATURE', 2],
    ['usdg-robinhood', 'header PAYMENT-SIGNATURE', 2],
    ['usdc-base', 'header X-PAYMENT', 'base'],
    ['usdg-robinhood', 'header X-PAYMENT', 'robinhood'],
    ['usdg-robinhood', 'header X-PAYMENT', 'eip155:4663'],
    ['usdc-base', 'header X-PAYMENT', 2],
    ['usdc-base', 'header PAYMENT-SIGNATURE', 'eip155:8453'],
    ['usdc-base', 'field x402_payment', 2],
    ['usdg-robinhood', 'field x402_payment', 'robinhood'],
  ] as const)('on %s in the %s (version %s) settles', async (rail, place, version) => {
    const body = poster.signed('job', job(rail));
    const offer = await poster.resend('job', body);
    const signed = await signPayload(poster.wallet, offer, world.now());
    const text = version === 2 ? encodePaymentV2(offer, signed) : encodePaymentV1(version, signed);
    const [kind, name] = place.split(' ') as ['header' | 'field', string];
    const [own, service] = await Promise.all([poster.wallet.address, DEV_SERVICE_WALLET].map(balanceOn(rail)));
    const paid = await (kind === 'field'
      ? poster.resend('job', { ...body, [name]: text })
      : poster.resend('job', body, { [name]: text }));
    const network = rail === 'usdc-base' ? 'base' : 'robinhood';
    const payer = poster.wallet.address;
    expect(paid).toMatchObject({ status: 200, body: { ok: true, paid: true } });
    const { tx } = paid.body['payment'] as { tx: string };
    expect(paid.body['payment']).toEqual({ tx, network, payer, amount: '500000' });
    const settled = { success: true, transaction: tx, payer };
    const caip2 = rail === 'usdc-base' ? 'eip155:8453' : 'eip155:4663';
    expect(decodeBase64Json(paid.headers.get('payment-response'))).toEqual({
      ...settled,
      network: caip2,
      extensions: paid.body['extensions'],
    });
    expect(decodeBase64Json(paid.headers.get('x-payment-response'))).toEqual({ ...settled, network });
    expect(await balanceOn(rail)(payer)).toBe(own! - 500_000n);
    expect(await balanceOn(rail)(DEV_SERVICE_WALLET)).toBe(service! + 500_000n);
    expect((await fees(payer, rail)).map(({ tx }) => tx)).toContain(tx);
  });

  const balanceOn = (rail: string) => (wallet: string) => world.token(rail).balanceOf(wallet);

  test('is made by an agent with a token through the official client', async () => {
    const wallet = Wallet.createRandom();
    await world.fund(wallet.address);
    const { headers } = await quickstart(world.url, { kind: 'official' });
    const scheme = new ExactEvmScheme(privateKeyToAccount(wallet.privateKey as `0x${string}`));
    const client = new x402Client().register('eip155:*', scheme).setSpendControls({ allowedAssets: true });
    const paying = wrapFetchWithPayment(fetch, client);
    for (const rail of ['usdc-base', 'usdg-robinhood']) {
      const request = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } };
      const response = await paying(`${world.url}/api/job`, { ...request, body: JSON.stringify(job(rail)) });
      const body = (await response.json()) as { payment: { tx: string } };
      expect([response.status, body]).toEqual([200, expect.objectContaining({ ok: true, paid: true })]);
      const settled = decodePaymentResponseHeader(response.headers.get('payment-response')!);
      expect(settled).toMatchObject({ success: true, transaction: body.payment.tx, payer: wallet.address });
    }
    expect(await fees(wallet.address)).toHaveLength(1);
  });

  test('that is invalid is named by its place', async () => {
    const fields = job();
    for (const [name, code] of Object.entries({ 'payment-signature': 'payment_signature', 'x-payment': 'x_payment' }))
      expect(await poster.post('job', fields, { [name]: 'no base64 $' })).toMatchObject({
        status: 400,
        body: { code },
      });
    const field = { ...poster.signed('job', fields), x402_payment: encodeBase64Json({ x402Version: 3 }) };
    expect(await poster.resend('job', field)).toMatchObject({ status: 400, body: { code: 'x402_payment' } });
  });
});
