import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { type Step, STEPS } from '#libs/payments/payment-machine.js';
import { RAILS } from '#libs/payments/rails.js';
import { type Reply, textOf } from '../raw-agent.js';
import { PURCHASES, verifySmartWallet } from '../purchases.js';
import type { SignedPurchase, PurchaseFixture } from '../purchase-fixture.js';
import { cancelAuthorization } from '../third-party.js';
import { answered, CrashFixture } from './crash-fixture.js';
import { expectOneStoryEach } from './stories.js';

/**
 * Kills the process at each step of a payment and repeats the request after a restart: one transfer, one effect, one
 * response. `FAULTS=all` covers each endpoint before and after each step, on one rail before it and on another after it:
 * rails differ only in constants.
 */
const ALL = process.env['FAULTS'] === 'all';
const CASE_TIMEOUT_MS = 5 * MINUTE_MS;
const PAID_ENDPOINTS = Object.keys(PURCHASES);
const purchaseAt = (point: number, endpoint: number) =>
  [PAID_ENDPOINTS[endpoint % PAID_ENDPOINTS.length]!, RAILS[(point + endpoint) % RAILS.length]!.name] as const;

/** Steps long after the response, covered by `test/faults/reorganisation.spec.ts`. */
const LATER = ['done', 'lose'] as const;
type Later = (typeof LATER)[number];
const isLater = (step: Step['do']): step is Later => LATER.some(later => later === step);

type Situation = 'as ever' | 'no block' | 'cancelled' | 'over';
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
type Point = readonly [point: string, situation: Situation];
const asEver = (...points: string[]) => points.map((point): Point => [point, 'as ever']);
/** Points within steps: between several claims, and after the effect before its record. */
const INSIDE = ALL ? asEver('[after Claimed]', '[before PaymentApplied]') : [];
const POINTS: readonly Point[] = [
  ...asEver('[before PaymentAccepted]', '[after PaymentAccepted]'),
  ...INSIDE,
  ...STEPS.flatMap(step => {
    const points = [...(ALL ? [`[before step ${step}]`] : []), `[after step ${step}]`];
    return isLater(step) ? [] : points.map((point): Point => [point, SITUATIONS[step]]);
  }),
];
/** Point between the start of a wage in the stream of its hire and its payment. */
const WAGE_STARTED = ['[after WageStarted]', 'as ever', 'pay', 'usdc-base'] as const;
const BY_CONTRACT_WALLET = 'verify by a contract wallet';
/** Points of the transaction that deploys a contract wallet and pays from it. */
const DEPLOYING = POINTS.filter(([, situation]) => situation !== 'cancelled')
  .filter(([point]) => ALL || /submit|broadcast|wait|replace|expire/.test(point))
  .map(point => [...point, BY_CONTRACT_WALLET, 'usdc-base'] as const);
/** Adds a point within the only effect that writes twice. */
const CASES = ALL
  ? [
      ...POINTS.flatMap((point, at) =>
        PAID_ENDPOINTS.map((_, endpoint) => [...point, ...purchaseAt(at, endpoint)] as const),
      ),
      ...RAILS.map(({ name }) => ['[before Verified]', 'as ever', 'identity', name] as const),
      WAGE_STARTED,
      ...DEPLOYING,
    ]
  : [...POINTS.map((point, at) => [...point, ...purchaseAt(0, at)] as const), WAGE_STARTED, ...DEPLOYING];

let fixture: CrashFixture;
beforeAll(async () => void (fixture = await CrashFixture.start({ IDLE_BLOCKS: 'off' })));
afterAll(() => fixture.stop());

interface Paying {
  readonly purchase: PurchaseFixture<CrashFixture>;
  readonly payment: SignedPurchase;
  readonly balances: readonly bigint[];
  /** Sends the identical bytes. */
  readonly ask: () => Promise<Reply>;
  /** Sends the request and its payment with a new signature. */
  readonly askAnew: () => Promise<Reply>;
}

async function paying(name: string, rail: string): Promise<Paying> {
  const prepare = name === BY_CONTRACT_WALLET ? verifySmartWallet : PURCHASES[name]!;
  const purchase = await prepare(fixture, rail);
  const [body, payment] = [purchase.body(), await purchase.sign()];
  const ask = () => purchase.send(body, payment.headers);
  return { purchase, payment, balances: await balances(purchase, payment), ask, askAnew: () => purchase.pay(payment) };
}

const balances = ({ token }: PurchaseFixture<CrashFixture>, { authorization: { from, to } }: SignedPurchase) =>
  Promise.all([from, to].map(wallet => token.balanceOf(wallet)));

async function dies({ ask }: Paying, point: string): Promise<void> {
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

const CRASH_CASES: { readonly [K in Situation]: (paying: Paying, point: string) => Promise<void> } = {
  'as ever': async (paying, point) => {
    await dies(paying, point);
    await fixture.restart();
    await isPaidOnce(paying);
  },
  'no block': async (paying, point) => {
    await paying.purchase.token.call('evm_setAutomine', false).catch(nothing);
    try {
      await dies(paying, point);
    } finally {
      await paying.purchase.token.call('evm_setAutomine', true).catch(nothing);
    }
    await fixture.restart();
    await isPaidOnce(paying);
  },
  cancelled: async (paying, point) => {
    await dies(paying, '[after step claim]');
    const { terms, token } = paying.purchase;
    await cancelAuthorization(token, terms.rail, terms.wallet, paying.payment.authorization.nonce);
    await fixture.startAndDie(point);
    await fixture.restart();
    await isNotPaid(paying);
  },
  over: async (paying, point) => {
    await dies(paying, '[after PaymentAccepted]');
    await fixture.startAndDie(point, 20 * MINUTE_MS);
    await fixture.restart();
    await isNotPaid(paying);
  },
};

const met: Situation[] = [];

test.each(CASES)(
  'killed %s (%s), a payment for %s on %s has exactly one outcome',
  async (point, situation, name, rail) => {
    met.push(situation);
    await CRASH_CASES[situation](await paying(name, rail), point);
  },
  CASE_TIMEOUT_MS,
);

const nothing = () => undefined;

test(
  'every payment has a single outcome, and the documents match a rebuild',
  () =>
    fixture.examine(async world => {
      await expectOneStoryEach(world);
      const times = (wanted: Situation) => met.filter(situation => situation === wanted).length;
      const counts = await world.counts('PaymentRefused', 'PaymentExpired', 'PaymentApplied');
      const effects = await world.counts('JobPosted', 'MessageSent', 'Paid', 'Promoted', 'Verified');
      expect(counts).toEqual([times('cancelled'), times('over'), effects.reduce((sum, count) => sum + count)]);
    }),
  CASE_TIMEOUT_MS,
);
