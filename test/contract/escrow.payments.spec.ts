import { beforeEach, expect, test } from '@jest/globals';
import { Wallet } from 'ethers';
import { DAY_MS } from '#libs/kernel/clock.js';
import { useDevChain } from './dev-chain.js';
import { EscrowPayments } from './escrow.payments.js';

const ATTEMPTS = 3;

const { dev } = useDevChain();
let escrow: EscrowPayments;
beforeEach(async () => void (escrow = await EscrowPayments.start(dev)));

test.each(['v1.1', 'v1.0'] as const)('the official client funds an escrow of %s', async version => {
  const before = await escrow.balances();
  const payload = await escrow.pay({ version });
  const { body } = await escrow.buy(payload, { version });
  expect(body).toMatchObject({ done: true, paid: true, payment: { amount: '10000000' } });
  expect(escrow.story(payload)).toEqual(['PaymentAccepted', 'PaymentSubmitted', 'PaymentSettled', 'PaymentApplied']);
  const after = await escrow.balances();
  expect([before.payer - after.payer, after.receiver, after.store - before.store]).toEqual([
    10_000_000n,
    0n,
    10_000_000n,
  ]);
  expect(escrow.accepted(payload)).toMatchObject({ escrow: { operator: escrow.operator } });
});

test('an offer of an escrow has version 2 only, with its terms in body and header', async () => {
  const refusal = await escrow.offer();
  expect(refusal).toMatchObject({ code: 'payment_required', details: { more: { x402Version: 2 } } });
  const { accepts } = refusal.details.more as { readonly accepts: readonly object[] };
  expect(accepts).toMatchObject([
    { scheme: 'auth-capture', extra: { captureMode: 'deferred', paymentFlow: 'escrow' } },
  ]);
  expect(escrow.headerOf(refusal)).toMatchObject({ x402Version: 2, accepts });
});

test('a payment of an older offer is taken for 600 s, and then a new offer is made', async () => {
  const payload = await escrow.pay({ deadlineAgeS: 600 });
  const tooOld = await escrow.pay({ deadlineAgeS: 601 });
  expect(await escrow.refusal(tooOld)).toMatchObject({ code: 'offer_changed' });
  expect((await escrow.buy(payload)).body).toMatchObject({ paid: true });
});

test('a payment of other terms than the offer is refused before anything is written', async () => {
  const payload = await escrow.pay();
  const later = await escrow.pay({ deadlineAgeS: -1 });
  expect(await escrow.refusal(later)).toMatchObject({ code: 'offer_changed' });
  expect(await escrow.refusal(payload, { payTo: Wallet.createRandom().address })).toMatchObject({
    code: 'offer_changed',
  });
  expect(await escrow.refusal(payload, { amount: 9_999_999n })).toMatchObject({ code: 'offer_changed' });
  expect(await escrow.refusal({ ...payload, salt: `0x${'1'.repeat(64)}` })).toMatchObject({ code: 'wrong_nonce' });
  expect(await escrow.refusal({ ...payload, version: 1, accepted: null })).toMatchObject({ code: 'x402_version' });
  expect(await escrow.refusal({ ...payload, salt: null })).toMatchObject({ code: 'offer_mismatch' });
  expect(await escrow.refusal({ ...payload, scheme: 'exact' })).toMatchObject({ code: 'offer_mismatch' });
  expect(escrow.story(payload)).toEqual([]);
});

test('a contract of the escrow cannot be the recipient of a wage', async () => {
  for (const payTo of await escrow.contracts())
    expect(await escrow.refusal(null, { payTo })).toMatchObject({ code: 'worker_has_no_wallet' });
});

test('an account without gas for its escrows is named in no offer', async () => {
  await escrow.setBalance(0n);
  expect(await escrow.refusal(null)).toMatchObject({ code: 'payments_unavailable' });
});

test('a payment of the same escrow is sent once, however often it is presented', async () => {
  const payload = await escrow.pay();
  const answers = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) answers.push((await escrow.buy(payload)).body['payment']);
  expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1);
  expect(escrow.story(payload).filter(type => type === 'PaymentSubmitted')).toHaveLength(1);
});

test('a deadline that has passed is refused by the contract', async () => {
  const payload = await escrow.pay({ deadlineAgeS: 0, heldMs: -DAY_MS });
  expect(await escrow.refusal(payload, { heldMs: -DAY_MS })).toMatchObject({ code: 'transfer_refused' });
});
