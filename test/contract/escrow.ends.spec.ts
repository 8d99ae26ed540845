import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#libs/kernel/clock.js';
import { ESCROW_OF_VERSION } from '#libs/payments/escrow-abi.js';
import { useDevChain } from './dev-chain.js';
import { EscrowPayments } from './escrow.payments.js';

const CAPTURE = ESCROW_OF_VERSION['v1.1'].getFunction('capture')!.selector;
const RELEASED = ['EscrowSubmitted', 'EscrowReleased'];
const RETURNED = ['EscrowSubmitted', 'EscrowReturned'];

const { dev, provider } = useDevChain();
let escrow: EscrowPayments;
let snapshot: unknown;
beforeEach(async () => {
  snapshot = await provider.send('evm_snapshot', []);
  escrow = await EscrowPayments.start(dev);
});
afterEach(async () => {
  await escrow.payments.stop();
  await provider.send('evm_revert', [snapshot]);
  await dev.setClockOffset(0);
});
/** Moves the clocks of service and chain. */
async function advance(ms: number): Promise<void> {
  escrow.clock.aheadMs += ms;
  await dev.setClockOffset(escrow.clock.aheadMs);
  await provider.send('evm_mine', []);
}

/** Lets calls revert as with a blacklisted account. */
function refuseCalls(...selectors: readonly string[]): void {
  const simulate = escrow.chain.simulate.bind(escrow.chain);
  escrow.chain.simulate = call =>
    selectors.some(selector => call.data.startsWith(selector))
      ? Promise.resolve('Blacklistable: account is blacklisted')
      : simulate(call);
}

describe.each(['v1.1', 'v1.0'] as const)('an escrow of %s', version => {
  test('is released to the worker once', async () => {
    const payload = await escrow.fund({ version });
    await escrow.payments.reconcile();
    expect(escrow.end(payload).types).toEqual([]);
    await escrow.decide(payload, 'worker', 'accepted');
    await escrow.payments.reconcile();
    await escrow.payments.reconcile();
    expect(escrow.end(payload)).toMatchObject({ types: RELEASED, reason: 'accepted' });
    expect(await escrow.balances()).toMatchObject({ receiver: 10_000_000n, store: 0n });
  });

  test('is returned to the poster once', async () => {
    const before = await escrow.balances();
    const payload = await escrow.fund({ version });
    await escrow.decide(payload, 'poster', 'not_delivered');
    await escrow.payments.reconcile();
    expect(escrow.end(payload)).toMatchObject({ types: RETURNED, reason: 'not_delivered' });
    expect(await escrow.balances()).toEqual(before);
  });
});

test('the first decision about an escrow counts', async () => {
  const payload = await escrow.fund();
  await escrow.decide(payload, 'poster', 'ended');
  await escrow.decide(payload, 'worker', 'accepted');
  await escrow.payments.reconcile();
  expect(escrow.end(payload)).toMatchObject({ types: RETURNED, reason: 'ended' });
});

test('a release after the deadline becomes a return with deadline_missed', async () => {
  const payload = await escrow.fund();
  await advance(DAY_MS + HOUR_MS);
  await escrow.decide(payload, 'worker', 'review_over');
  await escrow.payments.reconcile();
  expect(escrow.end(payload)).toMatchObject({ types: RETURNED, reason: 'deadline_missed' });
});

test('an escrow that the payer reclaims is noticed after the deadline', async () => {
  const payload = await escrow.fund();
  await advance(DAY_MS + HOUR_MS);
  await escrow.callAsPayer('reclaim', payload);
  await escrow.payments.reconcile();
  expect(escrow.end(payload)).toMatchObject({ types: ['EscrowReturned'], reason: 'reclaimed' });
});

test('a release that still reverts 3 days before the deadline becomes a return', async () => {
  const heldMs = 5 * DAY_MS;
  const payload = await escrow.fund({ heldMs });
  refuseCalls(CAPTURE);
  await escrow.decide(payload, 'worker', 'accepted');
  await escrow.payments.reconcile();
  expect(escrow.end(payload).types).toEqual([]);
  await advance(2 * DAY_MS + MINUTE_MS);
  await escrow.payments.reconcile();
  expect(escrow.end(payload)).toMatchObject({ types: RETURNED, reason: 'undeliverable' });
});

test('an escrow whose account has no key in the process stays open and is reported', async () => {
  const payload = await escrow.fund();
  const other = await EscrowPayments.start(dev, { log: escrow.log, journal: escrow.journal });
  await escrow.payments.stop();
  await escrow.decide(payload, 'worker', 'accepted');
  await other.payments.reconcile();
  expect(escrow.end(payload).types).toEqual([]);
  expect(other.reported).toMatchObject([{ name: 'MissingAccount' }]);
  expect(await other.payments.listOpenEscrows()).toMatchObject([{ operator: escrow.operator.toLowerCase() }]);
  await other.payments.stop();
});
