import { afterAll, beforeAll, test } from '@jest/globals';
import { RAILS } from '#libs/payments/rails.js';
import { PURCHASES } from '../purchases.js';
import { CrashFixture } from './crash-fixture.js';
import {
  ALL,
  BY_CONTRACT_WALLET,
  CASE_TIMEOUT_MS,
  expectOneOutcome,
  expectSingleStories,
  POINTS,
  type Situation,
} from './payment-crashes.js';

/**
 * Kills the process at each step of a payment and repeats the request after a restart: one transfer, one effect, one
 * response. `FAULTS=all` covers each endpoint before and after each step, on one rail before it and on another after it:
 * rails differ only in constants.
 */
const PAID_ENDPOINTS = Object.keys(PURCHASES);
const purchaseAt = (point: number, endpoint: number) =>
  [PAID_ENDPOINTS[endpoint % PAID_ENDPOINTS.length]!, RAILS[(point + endpoint) % RAILS.length]!.name] as const;

/** Point between the start of a wage in the stream of its hire and its payment. */
const WAGE_STARTED = ['[after WageStarted]', 'as ever', 'pay', 'usdc-base'] as const;
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

const situations: Situation[] = [];

test.each(CASES)(
  'killed %s (%s), a payment for %s on %s has exactly one outcome',
  async (point, situation, name, rail) => {
    situations.push(situation);
    await expectOneOutcome(fixture, { point, situation, name, rail });
  },
  CASE_TIMEOUT_MS,
);

test(
  'every payment has a single outcome, and the documents match a rebuild',
  () => expectSingleStories(fixture, situations),
  CASE_TIMEOUT_MS,
);
