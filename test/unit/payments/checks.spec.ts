import { expect, test } from '@jest/globals';
import type { TransferAuthorization } from '#libs/payments/chain.port.js';
import { checkLocally, checkOnChain } from '#libs/payments/checks.js';
import { PAYMENT_CODES } from '#libs/payments/codes.js';
import type { Presented } from '#libs/payments/presented.js';
import type { Purchase } from '#libs/payments/purchase.js';
import { RAILS } from '#libs/payments/rails.js';
import { Bench } from './bench.js';

const bench = new Bench();
const NOW = bench.clock.now();
const at = (seconds: number) => String(NOW / 1000 + seconds);
const other = `0x${'2'.repeat(40)}`;

async function local(changed: Partial<TransferAuthorization>, presented: Partial<Presented> = {}, purchase: Partial<Purchase> = {}) {
  return checkLocally({ ...(await bench.pay(bench.payer, changed)), ...presented }, bench.purchase(purchase), NOW)?.code ?? null;
}

test('a payment of the offer passes, in both versions', async () => {
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
])('an authorization that is valid for %i s answers %s', async (seconds, code) => {
  expect(await local({ validBefore: at(seconds) })).toBe(code);
});

test.each<[code: keyof typeof PAYMENT_CODES, Partial<TransferAuthorization>, Partial<Presented>?, Partial<Purchase>?]>([
  ['wrong_recipient', { to: other }],
  ['wrong_amount', { value: '999999' }],
  ['authorization_not_yet_valid', { validAfter: at(1) }],
  ['wrong_payer', {}, {}, { wallet: other }],
  ['offer_mismatch', {}, {}, { rails: [RAILS[0]!] }],
  ['offer_mismatch', {}, {}, { amount: 2n }],
  ['offer_mismatch', {}, { scheme: 'upto' }],
  ['offer_mismatch', {}, { network: 'eip155:1' }],
  ['invalid_signature', { from: other }],
  ['invalid_signature', {}, { signature: `0x${'11'.repeat(64)}` }],
  ['contract_wallet_unsupported', {}, { signature: `0x${'11'.repeat(66)}` }],
])('%s', async (code, changed, presented, purchase) => {
  expect(await local(changed, presented, purchase)).toBe(code);
  expect(PAYMENT_CODES[code][0]).toBe(402);
});

test('nobody pays themselves', async () => {
  const toSelf = bench.purchase({ payTo: bench.payer.address });
  const presented = await bench.payer.pay(toSelf, RAILS[1]!, NOW);
  expect(checkLocally(presented, toSelf, NOW)?.code).toBe('payer_is_payee');
});

test('the chain says of an unused authorization in which block it is that', async () => {
  const { chain } = new Bench();
  const bench = new Bench();
  chain.balances.set(bench.payer.address, 1_000_000n);
  expect(await checkOnChain(chain, await bench.pay())).toEqual({ block: 100 });
});

test.each<[string, (bench: Bench, presented: Presented) => void]>([
  ['authorization_used', ({ chain }, { authorization }) => void chain.stranger(authorization)],
  ['insufficient_balance', ({ chain, payer }) => void chain.balances.set(payer.address, 999_999n)],
  ['contract_wallet_unsupported', ({ chain }) => {
    const observe = chain.observe.bind(chain);
    chain.observe = async (payer, nonce) => ({ ...(await observe(payer, nonce)), contract: true });
  }],
  ['transfer_refused', ({ chain }) => void (chain.simulate = async () => 'account is frozen')],
])('the chain can say %s', async (code, happens) => {
  const bench = new Bench();
  const presented = await bench.pay();
  happens(bench, presented);
  expect(await checkOnChain(bench.chain, presented)).toMatchObject({ code });
});
