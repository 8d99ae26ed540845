import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OfficialFacilitator } from '../official-facilitator.js';
import { PURCHASES } from '../purchases.js';
import { answered, CrashFixture } from './crash-fixture.js';
import { CASE_TIMEOUT_MS, expectOneOutcome, expectSingleStories, POINTS, type Situation } from './payment-crashes.js';

/** Kills the process at each step of a payment that the official facilitator sends. */
const RAIL = 'usdc-base';
const PAID_ENDPOINTS = Object.keys(PURCHASES);
/** A facilitator answers after a block only, so its payments are never replaced. */
const CASES = POINTS.filter(([point]) => !/before step|step replace/.test(point)).map(
  ([point, situation], at) => [point, situation, PAID_ENDPOINTS[at % PAID_ENDPOINTS.length]!] as const,
);

let fixture: CrashFixture;
let official: OfficialFacilitator;
beforeAll(async () => {
  official = await OfficialFacilitator.start(() => fixture.child.rpc['base']!);
  fixture = await CrashFixture.start({ IDLE_BLOCKS: 'off', FACILITATOR: official.url });
});
afterAll(() => Promise.all([fixture.stop(), official.stop()]));

const situations: Situation[] = [];

test.each(CASES)(
  'killed %s (%s), a payment for %s by a facilitator has one outcome',
  async (point, situation, name) => {
    situations.push(situation);
    await expectOneOutcome(fixture, { point, situation, name, rail: RAIL });
  },
  CASE_TIMEOUT_MS,
);

test.each([
  ['a facilitator', 'a relayer', { FACILITATOR: '' }],
  ['a relayer', 'a facilitator', {}],
])('a payment submitted with %s settles with %s after a restart', async (_before, _after, settings) => {
  const purchase = await PURCHASES['verify']!(fixture, RAIL);
  const [body, payment] = [purchase.body(), await purchase.sign()];
  fixture.child.dieAt('[after PaymentSubmitted]');
  await expect(purchase.send(body, payment.headers)).rejects.toThrow();
  await fixture.restart(0, settings);
  expect(await answered(() => purchase.send(body, payment.headers))).toMatchObject({ status: 200 });
  expect(await purchase.transfers(payment)).toHaveLength(1);
});

test(
  'every payment by a facilitator has a single outcome',
  () => expectSingleStories(fixture, situations),
  CASE_TIMEOUT_MS,
);
