import { expect } from '@jest/globals';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { type Step, STEPS } from '#libs/payments/payment-machine.js';
import { type Reply, textOf } from '../raw-agent.js';
import { PURCHASES, verifySmartWallet } from '../purchases.js';
import type { SignedPurchase, PurchaseFixture } from '../purchase-fixture.js';
import { cancelAuthorization } from '../third-party.js';
import { answered, type CrashFixture } from './crash-fixture.js';
import { expectOneStoryEach } from './stories.js';

/** With `FAULTS=all`, each payment is killed before and after each step. */
export const ALL = process.env['FAULTS'] === 'all';
export const CASE_TIMEOUT_MS = 5 * MINUTE_MS;
export const BY_CONTRACT_WALLET = 'verify by a contract wallet';

/** Steps long after the response, covered by `test/faults/reorganisation.spec.ts`. */
const LATER = ['done', 'lose'] as const;
type Later = (typeof LATER)[number];
const isLater = (step: Step['do']): step is Later => LATER.some(later => later === step);

export type Situation = 'as ever' | 'no block' | 'cancelled' | 'over';
const SITUATIONS: { readonly [K in Exclude<Step['do'], Later>]: Situation } = {
  claim: 'as ever',
  observe: 'as ever',
  submit: 'as ever',
  broadcast: 'as ever',
  settle: 'as ever',
  apply: 'as ever',
  wait: 'no block',
  replace: 'no block',
  refuse: 'cancelled',
  expire: 'over',
};
export type Point = readonly [point: string, situation: Situation];
const asEver = (...points: string[]) => points.map((point): Point => [point, 'as ever']);
/** Points within steps: between several claims, and after the effect before its record. */
const INSIDE = ALL ? asEver('[after Claimed]', '[before PaymentApplied]') : [];
export const POINTS: readonly Point[] = [
  ...asEver('[before PaymentAccepted]', '[after PaymentAccepted]'),
  ...INSIDE,
  ...STEPS.flatMap(step => {
    const points = [...(ALL ? [`[before step ${step}]`] : []), `[after step ${step}]`];
    return isLater(step) ? [] : points.map((point): Point => [point, SITUATIONS[step]]);
  }),
];
interface Paying {
  readonly fixture: CrashFixture;
  readonly purchase: PurchaseFixture<CrashFixture>;
  readonly payment: SignedPurchase;
  readonly balances: readonly bigint[];
  /** Sends the identical bytes. */
  readonly ask: () => Promise<Reply>;
  /** Sends the request and its payment with a new signature. */
  readonly askAnew: () => Promise<Reply>;
}

async function paying(fixture: CrashFixture, name: string, rail: string): Promise<Paying> {
  const prepare = name === BY_CONTRACT_WALLET ? verifySmartWallet : PURCHASES[name]!;
  const purchase = await prepare(fixture, rail);
  const [body, payment] = [purchase.body(), await purchase.sign()];
  const ask = () => purchase.send(body, payment.headers);
  return {
    fixture,
    purchase,
    payment,
    balances: await balances(purchase, payment),
    ask,
    askAnew: () => purchase.pay(payment),
  };
}

const balances = ({ token }: PurchaseFixture<CrashFixture>, { authorization: { from, to } }: SignedPurchase) =>
  Promise.all([from, to].map(wallet => token.balanceOf(wallet)));

async function dies({ fixture, ask }: Paying, point: string): Promise<void> {
  fixture.child.dieAt(point);
  try {
    await expect(ask()).rejects.toThrow();
    await fixture.child.ended;
  } finally {
    fixture.child.dieAt();
  }
}

async function isPaidOnce({ purchase, payment, balances: [had, received], ask, askAnew }: Paying): Promise<void> {
  const answer = await answered(ask);
  expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ ok: true, paid: true })]);
  const [again, anew] = [await ask(), await askAnew()];
  expect([again.status, again.body, anew.body]).toEqual([200, answer.body, answer.body]);
  const { tx } = answer.body['payment'] as { tx: string };
  const amount = BigInt(payment.authorization.value);
  expect(await purchase.transfers(payment)).toEqual([{ tx, amount }]);
  expect(await balances(purchase, payment)).toEqual([had! - amount, received! + amount]);
}

/** A waiting caller gets the reason of the failure, a later caller the stored outcome. */
const ENDED = ['authorization_spent', 'authorization_expired', 'authorization_refused'];

/** Asserts that no charge happened and that the target can be bought again. */
async function isNotPaid({ purchase, payment, balances: before, askAnew }: Paying): Promise<void> {
  const ended = await answered(askAnew);
  expect([ended.status, ENDED.includes(textOf(ended, 'code'))]).toEqual([402, true]);
  expect(await askAnew()).toMatchObject({ status: 402, body: { code: 'authorization_refused' } });
  expect([await purchase.transfers(payment), await balances(purchase, payment)]).toEqual([[], before]);
  expect(await purchase.buy()).toMatchObject({ status: 200, body: { ok: true, paid: true } });
}

const nothing = () => undefined;

const CRASH_CASES: { readonly [K in Situation]: (paying: Paying, point: string) => Promise<void> } = {
  'as ever': async (paying, point) => {
    await dies(paying, point);
    await paying.fixture.restart();
    await isPaidOnce(paying);
  },
  'no block': async (paying, point) => {
    await paying.purchase.token.call('evm_setAutomine', false).catch(nothing);
    try {
      await dies(paying, point);
    } finally {
      await paying.purchase.token.call('evm_setAutomine', true).catch(nothing);
    }
    await paying.fixture.restart();
    await isPaidOnce(paying);
  },
  cancelled: async (paying, point) => {
    await dies(paying, '[after step claim]');
    const { terms, token } = paying.purchase;
    await cancelAuthorization(token, terms.rail, terms.wallet, paying.payment.authorization.nonce);
    await paying.fixture.startAndDie(point);
    await paying.fixture.restart();
    await isNotPaid(paying);
  },
  over: async (paying, point) => {
    await dies(paying, '[after PaymentAccepted]');
    await paying.fixture.startAndDie(point, 20 * MINUTE_MS);
    await paying.fixture.restart();
    await isNotPaid(paying);
  },
};

export interface Crash {
  readonly point: string;
  readonly situation: Situation;
  readonly name: string;
  readonly rail: string;
}

export async function expectOneOutcome(fixture: CrashFixture, { point, situation, name, rail }: Crash): Promise<void> {
  await CRASH_CASES[situation](await paying(fixture, name, rail), point);
}

/** Stops the service. `situations`: those of all payments that were killed. */
export function expectSingleStories(fixture: CrashFixture, situations: readonly Situation[]): Promise<void> {
  return fixture.examine(async world => {
    await expectOneStoryEach(world);
    const times = (wanted: Situation) => situations.filter(situation => situation === wanted).length;
    const counts = await world.counts('PaymentRefused', 'PaymentExpired', 'PaymentApplied');
    const effects = await world.counts('JobPosted', 'MessageSent', 'Paid', 'Promoted', 'Verified');
    expect(counts).toEqual([times('cancelled'), times('over'), effects.reduce((sum, count) => sum + count)]);
  });
}
