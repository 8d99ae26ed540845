import { expect, test } from '@jest/globals';
import type { TransferAuthorization } from '#libs/payments/chain.port.js';
import { checkLocally, checkOnChain, signedPaymentOf } from '#libs/payments/payload-checks.js';
import { PAYMENT_ERROR_CODES } from '#libs/kernel/error-codes.js';
import type { PaymentPayload } from '#libs/payments/payment-payload.js';
import type { Purchase } from '#libs/payments/purchase.js';
import { RAILS } from '#libs/payments/rails.js';
import { Bench, RAIL } from './bench.js';

const bench = new Bench();
const NOW = bench.clock.now();
const at = (seconds: number) => String(NOW / 1000 + seconds);
const other = `0x${'2'.repeat(40)}`;

async function local(
  changed: Partial<TransferAuthorization>,
  presented: Partial<PaymentPayload> = {},
  purchase: Partial<Purchase> = {},
) {
  const paid = { ...(await bench.pay(bench.payer, changed)), ...presented };
  return checkLocally(paid, bench.purchase(purchase), NOW)?.code ?? null;
}

test('accepts a payment of the offer in both protocol versions', async () => {
  expect(await local({})).toBeNull();
  expect(await local({}, { version: 1, accepted: null })).toBeNull();
  expect(await local({}, {}, { wallet: bench.payer.address.toLowerCase() })).toBeNull();
});

test.each([
  [5, 'authorization_expires_too_soon'],
  [6, null],
  [600, null],
  [601, 'authorization_expires_too_late'],
  [0, 'authorization_expired'],
])('an authorization valid for %i s has the check result %s', async (seconds, code) => {
  expect(await local({ validBefore: at(seconds) })).toBe(code);
});

test.each([
  [0, null],
  [1, 'authorization_not_yet_valid'],
])('an authorization that starts in %i s has the check result %s', async (seconds, code) => {
  expect(await local({ validAfter: at(seconds) })).toBe(code);
});

interface Case {
  readonly code: keyof typeof PAYMENT_ERROR_CODES;
  readonly changed?: Partial<TransferAuthorization>;
  readonly presented?: Partial<PaymentPayload>;
  readonly purchase?: Partial<Purchase>;
}

test.each<Case>([
  { code: 'wrong_recipient', changed: { to: other } },
  { code: 'wrong_amount', changed: { value: '999999' } },
  { code: 'wrong_amount', changed: { value: '1000001' } },
  { code: 'wrong_payer', purchase: { wallet: other } },
  { code: 'offer_mismatch', purchase: { rails: [RAILS[0]!] } },
  { code: 'offer_mismatch', purchase: { amount: 2n } },
  { code: 'offer_mismatch', presented: { scheme: 'upto' } },
  { code: 'offer_mismatch', presented: { network: 'eip155:1' } },
])('the check returns $code for $changed $presented', async ({ code, changed = {}, presented, purchase }) => {
  expect(await local(changed, presented, purchase)).toBe(code);
  expect(PAYMENT_ERROR_CODES[code][0]).toBe(402);
});

test('rejects a payment to the payer', async () => {
  const toSelf = bench.purchase({ payTo: bench.payer.address });
  const presented = await bench.payer.pay(toSelf, RAILS[1]!, NOW);
  expect(checkLocally(presented, toSelf, NOW)?.code).toBe('payer_is_payee');
});

test('the check of the chain returns the block of an unused authorization', async () => {
  const { chain } = new Bench();
  const bench = new Bench();
  const signed = (payload: PaymentPayload) => signedPaymentOf(payload, bench.purchase(), RAIL);
  chain.balances.set(bench.payer.address, 1_000_000n);
  expect(await checkOnChain(chain, signed(await bench.pay()))).toEqual({ block: 100 });
});

test.each<[string, (bench: Bench, presented: PaymentPayload) => void]>([
  ['authorization_used', ({ chain }, { authorization }) => void chain.sendAsStranger(authorization)],
  ['insufficient_balance', ({ chain, payer }) => void chain.balances.set(payer.address, 999_999n)],
  ['invalid_signature', (_, { authorization }) => void Object.assign(authorization, { value: '999' })],
  ['invalid_signature', (_, presented) => void Object.assign(presented, { signature: `0x${'11'.repeat(64)}` })],
  [
    'contract_wallet_unsupported',
    ({ chain }) => {
      const observe = chain.observe.bind(chain);
      chain.observe = async (payer, nonce) => ({ ...(await observe(payer, nonce)), signature: 'unsupported' });
    },
  ],
  ['transfer_refused', ({ chain }) => void (chain.simulate = async () => 'account is frozen')],
])('the check of the chain returns %s', async (code, happens) => {
  const bench = new Bench();
  const signed = (payload: PaymentPayload) => signedPaymentOf(payload, bench.purchase(), RAIL);
  const presented = await bench.pay();
  happens(bench, presented);
  expect(await checkOnChain(bench.chain, signed(presented))).toMatchObject({ code });
});

test('reports a use that is mined before the simulation as used', async () => {
  const bench = new Bench();
  const signed = (payload: PaymentPayload) => signedPaymentOf(payload, bench.purchase(), RAIL);
  const presented = await bench.pay();
  const { chain } = bench;
  chain.simulate = async () => {
    await new Promise(resolve => setImmediate(resolve));
    chain.sendAsStranger(presented.authorization);
    return 'authorization is used';
  };
  expect(await checkOnChain(chain, signed(presented))).toMatchObject({ code: 'authorization_used' });
});

test.each(['FiatTokenV2: authorization is not yet valid', 'AuthorizationInvalid'])(
  'waits for a block after validAfter while the token returns: %s',
  async reason => {
    const bench = new Bench();
    const signed = (payload: PaymentPayload) => signedPaymentOf(payload, bench.purchase(), RAIL);
    bench.chain.balances.set(bench.payer.address, 1_000_000n);
    const reasons = [reason, reason, null];
    bench.chain.simulate = async () => reasons.shift() ?? null;
    expect(await checkOnChain(bench.chain, signed(await bench.pay()))).toEqual({ block: 100 });
    expect(reasons).toEqual([]);
  },
);
