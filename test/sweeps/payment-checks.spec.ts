import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { id, Wallet } from 'ethers';
import { HOUR_MS, SECOND_MS } from '#libs/kernel/clock.js';
import type { TransferAuthorization } from '#libs/payments/chain.port.js';
import { onRail } from '../purchase-fixture.js';
import { PURCHASES } from '../purchases.js';
import { type HeaderFields, RawAgent, type Reply } from '../raw-agent.js';
import {
  readOffer,
  type OfferedEntry,
  type SignedPayload,
  signPayload,
  encodePaymentV1,
  encodePaymentV2,
} from '../x402.js';
import { broadcastTransfer } from '../third-party.js';
import { useWorld } from '../use-world.js';

const world = useWorld();
let poster: RawAgent;
beforeAll(async () => {
  poster = await world.raw('payer');
});

let titles = 0;
const summary = 'Twenty characters at least.';
const job = () => ({ title: `Job ${(titles += 1)}`, summary, done: 'a thing is done', budget_usd: '10' });
const seconds = (ahead: number) => String(Math.floor(world.now() / 1000) + ahead);

interface Case {
  readonly changed?: () => Partial<TransferAuthorization>;
  readonly accepted?: Partial<OfferedEntry>;
  readonly altered?: (payload: SignedPayload) => SignedPayload;
  readonly wallet?: () => typeof poster.wallet;
}

const stranger = Wallet.createRandom();
const LONG = (signed: SignedPayload) => ({ ...signed, signature: `${signed.signature}${'00'.repeat(32)}` });
const OTHERS = (signed: SignedPayload) => ({
  ...signed,
  authorization: { ...signed.authorization, from: stranger.address },
});
const service = new Wallet(id('development chain: service')) as unknown as typeof poster.wallet;

/** Asserts that a payment for a new job is refused with an offer and leaves the log unchanged. */
async function refuse(code: string, pay: (offer: Reply) => Promise<HeaderFields>) {
  const fields = job();
  const offer = await poster.post('job', fields);
  const headers = await pay(offer);
  const before = await world.service.stores.log.head();
  const reply = await poster.post('job', fields, headers);
  expect(await world.service.stores.log.head()).toBe(before);
  expect(reply).toMatchObject({ status: 402, body: { ok: false, code, x402Version: 1, retryable: true } });
  expect(reply.headers.get('payment-response')).toBeNull();
  expect(readOffer(reply)).toMatchObject({ error: reply.body['error'], accepts: [{ amount: '500000' }] });
  return { fields, offer, headers };
}

const sign = (offer: Reply, wallet = poster.wallet, changed: Partial<TransferAuthorization> = {}) =>
  signPayload(wallet, offer, world.now(), changed);
const version2 = (offer: Reply, signed: SignedPayload, accepted: Partial<OfferedEntry> = {}) => ({
  'payment-signature': encodePaymentV2(offer, signed, accepted),
});

const CASES: [string, string, Case][] = [
  ['offer_mismatch', 'another recipient than offered', { accepted: { payTo: stranger.address } }],
  ['offer_mismatch', 'another token', { accepted: { asset: stranger.address } }],
  ['offer_mismatch', 'a network outside EVM', { accepted: { network: 'solana:mainnet' } }],
  ['offer_mismatch', 'a token without an address', { accepted: { asset: 'dollars' } }],
  ['offer_mismatch', 'another domain', { accepted: { extra: { name: 'USD Coin', version: '1' } } }],
  ['wrong_recipient', 'to another recipient', { changed: () => ({ to: stranger.address }) }],
  ['authorization_expired', 'no longer valid', { changed: () => ({ validBefore: seconds(-1) }) }],
  ['payer_is_payee', 'from the payee', { wallet: () => service }],
  ['invalid_signature', 'a signature of another wallet', { altered: OTHERS }],
  ['invalid_signature', 'a signature that is too long', { altered: LONG }],
  ['insufficient_balance', 'an empty wallet', { wallet: () => stranger }],
];

describe('an invalid payment is refused', () => {
  test.each(CASES)('as %s: %s', async (code, _what, { changed, accepted, altered, wallet }) => {
    const { fields, offer } = await refuse(code, async offer => {
      const signed = await sign(offer, wallet?.(), changed?.());
      return version2(offer, altered?.(signed) ?? signed, accepted);
    });
    const right = version2(offer, await sign(offer));
    expect(await poster.post('job', fields, right)).toMatchObject({ status: 200 });
  });

  test.each(['robinhood', 'polygon', 'solana'])('as offer_mismatch: version 1 for the network %s', network =>
    refuse('offer_mismatch', async offer => ({ 'x-payment': encodePaymentV1(network, await sign(offer)) })),
  );

  test('as authorization_used: settled by another sender before it was presented', () =>
    refuse('authorization_used', async offer => {
      const signed = await sign(offer);
      await broadcastTransfer(world.token('usdc-base'), 'usdc-base', signed);
      expect(await world.token('usdc-base').transfers(poster.wallet.address)).not.toHaveLength(0);
      return version2(offer, signed);
    }));

  test('as invalid_signature: from an account whose code accepts nothing', () =>
    refuse('invalid_signature', async offer => {
      const wallet = Wallet.createRandom();
      await world.fund(wallet.address);
      await world.token('usdc-base').call('anvil_setCode', wallet.address, '0x00').catch(ignoreNull);
      return version2(offer, await sign(offer, wallet));
    }));

  test('as invalid_signature: for a contract that is no wallet', () =>
    refuse('invalid_signature', async offer => {
      const signed = await sign(offer, Wallet.createRandom());
      const { asset: from } = readOffer(offer).accepts[0]!;
      return version2(offer, { ...signed, authorization: { ...signed.authorization, from } });
    }));

  test('as contract_wallet_unsupported: on a rail whose token only recovers signers', async () => {
    const purchase = await PURCHASES['verify']!(world, 'usdg-robinhood');
    const reply = onRail(await purchase.offer(), 'usdg-robinhood');
    const headers = version2(reply, LONG(await sign(reply, purchase.terms.wallet)));
    const refused = await purchase.send(purchase.body(), headers);
    expect(refused).toMatchObject({ status: 402, body: { code: 'contract_wallet_unsupported' } });
  });

  test('as transfer_refused: not yet valid for the token', async () => {
    await world.service.chains.dev!.setClockOffset(-HOUR_MS);
    const { fields, headers } = await refuse('transfer_refused', async offer =>
      version2(offer, await sign(offer, poster.wallet, { validAfter: seconds(-60) })),
    );
    await world.service.chains.dev!.setClockOffset(0);
    expect(await poster.post('job', fields, headers)).toMatchObject({ status: 200 });
  });

  test('as wrong_payer: from another wallet than the verified one', async () => {
    const fields = { wallet: stranger.address };
    const offer = await poster.post('verify', fields);
    expect(readOffer(offer).accepts).toHaveLength(2);
    await world.fund(poster.wallet.address);
    const refused = await poster.post('verify', fields, version2(offer, await sign(offer)));
    expect(refused).toMatchObject({ status: 402, body: { code: 'wrong_payer' } });
  });
});

test.each(['usdc-base', 'usdg-robinhood'])('accepts a payment on %s that is valid from this second on', async rail => {
  const purchase = await PURCHASES['verify']!(world, rail);
  await pause(SECOND_MS - (world.now() % SECOND_MS));
  const payment = await purchase.sign({ validAfter: seconds(0) });
  expect(await purchase.pay(payment)).toMatchObject({ status: 200, body: { paid: true } });
  expect(await purchase.transfers(payment)).toHaveLength(1);
});

/** Ignores the null that the node returns. */
const ignoreNull = () => undefined;
