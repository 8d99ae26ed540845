import { describe, expect, test } from '@jest/globals';
import { decodePaymentRequiredHeader } from '@x402/core/http';
import { ExactEvmScheme } from '@x402/evm';
import { AuthCaptureEvmScheme } from '@x402/evm/auth-capture/client';
import {
  extractDiscoveryInfo,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
} from '@x402/extensions/bazaar';
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch';
import type { BaseWallet } from 'ethers';
import { privateKeyToAccount } from 'viem/accounts';
import { DEV_SERVICE_WALLET } from '#libs/payments/devchain/accounts.js';
import { RAILS } from '#libs/payments/rails.js';
import { ROUTES } from '#libs/service/routes.js';
import { applyForEscrow } from '../escrow-payment.js';
import { type HeaderFields, quickstart, type Reply, send } from '../raw-agent.js';
import { PURCHASES } from '../purchases.js';
import { onRail, settlementOf } from '../purchase-fixture.js';
import { encodePaymentV1 } from '../x402.js';
import { useWorld } from '../use-world.js';

/** Tests how paid endpoints are found and paid with the official x402 tools. */
const PAID = ['delegate', 'identity', 'job', 'message', 'pay', 'promote', 'verify'];
/** Payments that go to another muse instead of the service. */
const PAID_TO_MUSES = ['message', 'pay'];
const COPIES = 30;
/** Offers by endpoint: the one of a hire is an escrow, which another scheme pays. */
const OFFERS: { readonly [endpoint: string]: () => Promise<Reply> } = {
  ...Object.fromEntries(
    PAID.map(endpoint => [endpoint, async () => (await PURCHASES[endpoint]!(world, 'usdc-base')).offer()]),
  ),
  async hire() {
    const [poster, worker] = await world.raws('poster', 'worker');
    return poster.post('hire', await applyForEscrow(poster, worker));
  },
};
const rails = RAILS.map(({ name }) => name);
const world = useWorld();

const networkOf = (rail: string) => RAILS.find(({ name }) => name === rail)!.network as `eip155:${string}`;

type Scheme = typeof ExactEvmScheme | typeof AuthCaptureEvmScheme;

/** Wraps `fetch` in the official client with a wallet that pays on one rail. */
function paying(wallet: BaseWallet, rail: string, Scheme: Scheme = ExactEvmScheme) {
  const client = new x402Client()
    .register(networkOf(rail), new Scheme(privateKeyToAccount(wallet.privateKey as `0x${string}`)))
    .setSpendControls({ allowedAssets: true, maxAmountPerPayment: false });
  return wrapFetchWithPayment(fetch, client);
}

interface Sale {
  readonly endpoint: string;
  readonly wallet: BaseWallet;
  readonly rail: string;
  readonly Scheme?: Scheme;
}

/** Sends a body with the official client, which pays, and reads the settlement. */
async function buy({ endpoint, wallet, rail, Scheme }: Sale, body: object, headers: HeaderFields = {}) {
  const response = await paying(
    wallet,
    rail,
    Scheme,
  )(`${world.url}/api/${endpoint}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { ok: boolean; paid: boolean; payment: { tx: string } };
  expect([response.status, answer]).toEqual([200, expect.objectContaining({ ok: true, paid: true })]);
  const settled = decodePaymentResponseHeader(response.headers.get('payment-response')!);
  expect(settled).toMatchObject({ success: true, transaction: answer.payment.tx, payer: wallet.address });
  expect(settled.network).toBe(networkOf(rail));
  return answer;
}

describe('a directory', () => {
  type Extension = Parameters<typeof validateDiscoveryExtension>[0];

  test.each(Object.keys(OFFERS))('learns how to call /api/%s with the official tools', async endpoint => {
    const reply = await OFFERS[endpoint]!();
    const offer = decodePaymentRequiredHeader(reply.headers.get('payment-required')!);
    const inHeader = offer.extensions!['bazaar'] as Extension;
    const inBody = (reply.body['extensions'] as unknown as { bazaar: Extension }).bazaar;
    for (const extension of [inHeader, inBody]) {
      expect(validateDiscoveryExtension(extension)).toEqual({ valid: true });
      expect(validateDiscoveryExtensionSpec({ ...extension })).toEqual({ valid: true });
    }
    const { resource, extensions } = offer;
    const [accepted] = offer.accepts;
    const echoed = { x402Version: 2, accepted: accepted!, payload: {}, resource, extensions } as const;
    expect(extractDiscoveryInfo(echoed, accepted!)).toMatchObject({
      resourceUrl: `${world.url}/api/${endpoint}`,
      method: 'POST',
      mimeType: 'application/json',
      discoveryInfo: { input: { type: 'http', bodyType: 'json' } },
    });
    expect(inBody.info).toMatchObject({ ...inHeader.info, output: { type: 'json', example: { ok: true } } });
    const { properties } = inBody.schema.properties.input as { readonly properties: unknown };
    const named = Object.keys((properties as { body: { properties: object } }).body.properties);
    const { body: sample } = inHeader.info.input as { readonly body: object };
    expect(named).toEqual(expect.arrayContaining(Object.keys(sample)));
  });

  test('lists exactly the paths that return 402 to an empty POST', async () => {
    const { status, body, headers } = await send(world.url, '/.well-known/x402');
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    const probed: string[] = [];
    for (const { path } of ROUTES.writes) {
      const reply = await send(world.url, path, { body: {} });
      if (reply.status !== 402) continue;
      expect(decodePaymentRequiredHeader(reply.headers.get('payment-required')!).resource.url).toBe(world.url + path);
      probed.push(world.url + path);
    }
    expect(body['resources']).toEqual(probed);
    expect(probed.sort()).toEqual(['identity', 'promote', 'verify'].map(endpoint => `${world.url}/api/${endpoint}`));
  });

  test('shows rails and prices', async () => {
    const { body } = await send(world.url, '/api/x402');
    const shown = RAILS.map(({ name, network, short, token, asset, decimals, explorer }) => {
      const tokens = { rail: name, network, short, token, asset, decimals, explorer };
      return { ...tokens, pay_to: DEV_SERVICE_WALLET, play_money: true };
    });
    expect(body).toMatchObject({ ok: true, rails: shown, fee_percent: 5 });
    const prices = body['prices'] as { endpoint: string; usd: string }[];
    expect([...prices].sort((a, b) => a.endpoint.localeCompare(b.endpoint))).toEqual([
      { endpoint: 'identity', usd: '1.000000' },
      { endpoint: 'message', usd: '0.250000' },
      { endpoint: 'promote', usd: '5.000000' },
      { endpoint: 'verify', usd: '1.000000' },
    ]);
  });
});

describe.each(rails)('the official client on %s', rail => {
  test.each(PAID)('pays /api/%s with the same signed body', async endpoint => {
    const purchase = await PURCHASES[endpoint]!(world, rail);
    await buy(purchase.terms, purchase.body());
    const payee = PAID_TO_MUSES.includes(endpoint) ? undefined : DEV_SERVICE_WALLET;
    if (payee) expect(await purchase.token.transfers(purchase.terms.wallet.address, payee)).toHaveLength(1);
  });

  test('pays for an agent with a token', async () => {
    const purchase = await PURCHASES['verify']!(world, rail);
    const { headers, museId } = await quickstart(world.url, { kind: 'official' });
    const fields = purchase.terms.fields as { wallet: string };
    await buy(purchase.terms, fields, headers);
    expect(await world.reader().credential({ muse: museId })).toMatchObject({ verified: true, wallet: fields.wallet });
  });
});

test('the official client pays /api/hire into an escrow', async () => {
  const [poster, worker] = await world.raws('payer', 'hired');
  const body = poster.signed('hire', await applyForEscrow(poster, worker));
  const sale = { endpoint: 'hire', wallet: poster.wallet, rail: 'usdc-base', Scheme: AuthCaptureEvmScheme };
  expect(await buy(sale, body)).toMatchObject({ position: { escrow: { status: 'funded' } } });
});

describe('an older client', () => {
  test.each(
    PAID.flatMap((endpoint, at) => [
      [endpoint, rails[at % 2]!, 'header'] as const,
      [endpoint, rails[(at + 1) % 2]!, 'field'] as const,
    ]),
  )('pays /api/%s on %s with version 1 in a %s', async (endpoint, rail, place) => {
    const purchase = await PURCHASES[endpoint]!(world, rail);
    const payment = await purchase.sign();
    const { short } = RAILS.find(({ name }) => name === rail)!;
    const text = encodePaymentV1(short, payment);
    const body = purchase.body();
    const reply = await (place === 'header'
      ? purchase.send(body, { 'x-payment': text })
      : purchase.send({ ...body, x402_payment: text }));
    expect(reply).toMatchObject({ status: 200, body: { paid: true, payment: { network: short } } });
    expect(settlementOf(reply).v1).toMatchObject({ success: true, network: short });
    expect(await purchase.transfers(payment)).toHaveLength(1);
  });

  test('is offered only the rails whose names it knows', async () => {
    const reply = await (await PURCHASES['verify']!(world, 'usdc-base')).offer();
    expect(reply.body['accepts']).toMatchObject([{ network: 'base', maxAmountRequired: '1000000' }]);
    expect((reply.body['accepts'] as { resource: string }[])[0]!.resource).toBe(`${world.url}/api/verify`);
    expect(onRail(reply, 'usdg-robinhood').headers.get('payment-required')).not.toBeNull();
  });
});

describe(`${COPIES} identical paid requests at the same time`, () => {
  const copies = (one: () => Promise<Reply>) => Promise.all(Array.from({ length: COPIES }, one));
  const distinct = (replies: readonly Reply[]) =>
    new Set(replies.map(({ status, body }) => JSON.stringify([status, body])));

  test('by an agent with a token cause one transfer and equal responses', async () => {
    const purchase = await PURCHASES['verify']!(world, 'usdg-robinhood');
    const payment = await purchase.sign();
    const { headers } = await quickstart(world.url, { kind: 'thirty' });
    const replies = await copies(() => purchase.send(purchase.terms.fields, { ...headers, ...payment.headers }));
    expect([replies[0]!.status, distinct(replies).size]).toEqual([200, 1]);
    expect(await purchase.transfers(payment)).toHaveLength(1);
  });

  test.each(['identity', 'pay'])(
    'at /api/%s, each with a new signature, cause one transfer and equal responses',
    async endpoint => {
      const purchase = await PURCHASES[endpoint]!(world, 'usdc-base');
      const payment = await purchase.sign();
      const replies = await copies(() => purchase.pay(payment));
      expect([replies[0]!.status, distinct(replies).size]).toEqual([200, 1]);
      expect(await purchase.transfers(payment)).toHaveLength(1);
    },
  );
});
