import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { PurchaseFixture, type PurchaseWorld, type SignedPurchase } from '../purchase-fixture.js';
import { PURCHASES } from '../purchases.js';
import { Reorganisation } from '../reorganisation.js';
import { waitUntil } from '../wait-until.js';
import { sendTransaction, signCancellation } from '../third-party.js';
import { send } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';
import { Child, endStandby } from './child.js';
import { answered, CrashFixture } from './crash-fixture.js';

const RAIL = 'usdc-base';
const FINALITY = 40;
const SETTINGS = { BASE_FINALITY: String(FINALITY) };
const SETTLED = ['PaymentAccepted', 'PaymentSubmitted', 'PaymentSettled', 'PaymentApplied'];
const CASE_TIMEOUT_MS = 60_000;

interface Paid<P extends PurchaseWorld> {
  readonly purchase: PurchaseFixture<P>;
  readonly payment: SignedPurchase;
  readonly chain: Reorganisation;
}

async function paidWage<P extends PurchaseWorld>(place: P): Promise<Paid<P>> {
  const purchase = await PURCHASES['pay']!(place, RAIL);
  const payment = await purchase.sign();
  const chain = await Reorganisation.of(purchase.token);
  expect(await purchase.pay(payment)).toMatchObject({ status: 200, body: { paid: true } });
  return { purchase, payment, chain };
}

/** Reverts the transfer and makes its repetition impossible. */
async function takeBackForGood<P extends PurchaseWorld>({ purchase, payment, chain }: Paid<P>): Promise<void> {
  // Signs first, because the service soon sends the transaction again.
  const cancelled = await signCancellation(RAIL, purchase.terms.wallet, payment.authorization.nonce);
  await chain.revert();
  await sendTransaction(purchase.token, RAIL, cancelled);
  await chain.mine(FINALITY);
}

const hireOf = ({ purchase }: Paid<PurchaseWorld>) => String(purchase.terms.fields['hire']);
afterAll(endStandby);

describe('two gateways', () => {
  let world: World;
  let child: Child;
  afterEach(async () => {
    await child.stop();
    await world.stop();
  });

  test(
    'resend reverted transfers and report a lost one once',
    async () => {
      const timing = { watchMs: 100, passMs: 100 };
      world = await World.start({ settings: SETTINGS, overrides: { isAlone: false } });
      child = await Child.start(world.folder, { ...SETTINGS, PAYMENT_TIMING: JSON.stringify(timing) });
      const story = ({ purchase, payment }: Paid<World>) => purchase.eventTypes(payment);

      const back = await paidWage(world);
      await back.chain.revert();
      await waitUntil(async () => (await story(back)).length > SETTLED.length);
      expect(await back.purchase.transfers(back.payment)).toHaveLength(1);
      await back.chain.mine(FINALITY);
      expect(await story(back)).toEqual([...SETTLED, 'PaymentSettled']);

      const lost = await paidWage(world);
      await takeBackForGood(lost);
      await waitUntil(async () => (await story(lost)).includes('PaymentLost'));
      expect(await story(lost)).toEqual([...SETTLED, 'PaymentLost']);
      expect(await lost.purchase.transfers(lost.payment)).toEqual([]);
      const hire = await world.eventTypes(`hire-${hireOf(lost)}`);
      expect(hire.filter(type => type === 'WageLost')).toHaveLength(1);
      expect(await lost.purchase.buy()).toMatchObject({ status: 200, body: { paid: true } });
      expect(await world.audit()).toEqual(CLEAN);
    },
    CASE_TIMEOUT_MS,
  );
});

test(
  'another gateway finishes a lost wage after a crash before its payment is lost',
  async () => {
    const fixture = await CrashFixture.start(SETTINGS);
    const lost = await paidWage(fixture);
    fixture.child.dieAt('[after WageLost]');
    // Keeps the gateway from sending the transfer again in between.
    fixture.child.freeze();
    await takeBackForGood(lost);
    fixture.child.wake();
    await fixture.restart();
    const offered = async () => (await send(fixture.url, `/api/record/hire/${hireOf(lost)}`)).status;
    await waitUntil(async () => (await offered()) === 200);
    const again = await lost.purchase.sign();
    expect(await answered(() => lost.purchase.pay(again))).toMatchObject({ status: 200, body: { paid: true } });
    expect(await lost.purchase.transfers(again)).toHaveLength(1);
    await fixture.examine(async world => {
      const story = await world.eventTypes(`payment-${lost.payment.id}`);
      expect(story).toEqual([...SETTLED, 'PaymentLost']);
      const hire = await world.eventTypes(`hire-${hireOf(lost)}`);
      expect(hire.filter(type => type === 'WageLost')).toHaveLength(1);
      expect(hire.filter(type => type === 'Paid')).toHaveLength(2);
      expect(await world.audit()).toEqual(CLEAN);
    }, SETTINGS);
  },
  CASE_TIMEOUT_MS,
);
