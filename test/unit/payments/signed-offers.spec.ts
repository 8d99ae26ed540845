import { expect, test } from '@jest/globals';
import type { PaymentRequired } from '@x402/core/types';
import { Unavailable } from '#libs/kernel/refusal.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { SignedOffers } from '#libs/payments/signed-offers.js';
import { TestClock } from '../../doubles/test-clock.js';
import { NOW } from '../../given.js';

const ENTRY = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '1',
  asset: '0x1',
  payTo: '0x2',
  maxTimeoutSeconds: 300,
};
const OFFER = {
  x402Version: 2,
  resource: { url: 'https://jobs.example/api/verify' },
  accepts: [ENTRY, { ...ENTRY, network: 'eip155:4663' }],
} as unknown as PaymentRequired;

function signing() {
  const clock = new TestClock(NOW);
  const payloads: JsonObject[] = [];
  const signer = {
    signJws: (payload: JsonObject) => {
      payloads.push(payload);
      return Promise.resolve(`signature ${payloads.length}`);
    },
  };
  return { clock, payloads, signer, offers: new SignedOffers(signer, clock) };
}

test('an offer is signed once a minute and expires at least five minutes later', async () => {
  const { clock, payloads, offers } = signing();
  const first = await offers.sign(OFFER);
  expect(await offers.sign(OFFER)).toEqual(first);
  expect(payloads).toHaveLength(2);
  for (const seconds of [60, 60]) {
    clock.advance(seconds * 1_000);
    await offers.sign(OFFER);
    const { validUntil } = payloads.at(-1) as { readonly validUntil: number };
    expect(validUntil).toBeGreaterThan(clock.now() / 1_000 + 300);
  }
  expect(payloads).toHaveLength(6);
});

test('an offer has no signature while the key cannot be read, and has one afterwards', async () => {
  const { signer, offers } = signing();
  const { signJws } = signer;
  signer.signJws = () => Promise.reject(new Unavailable('The event log'));
  expect(await offers.sign(OFFER)).toEqual({});
  signer.signJws = signJws;
  expect(await offers.sign(OFFER)).toMatchObject({
    'offer-receipt': { info: { offers: [{ format: 'jws', acceptIndex: 0 }, { acceptIndex: 1 }] } },
  });
});
