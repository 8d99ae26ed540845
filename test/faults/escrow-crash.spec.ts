import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { ESCROW_STEPS, type EscrowStep } from '#libs/payments/escrow-machine.js';
import { type Step, STEPS } from '#libs/payments/payment-machine.js';
import { endNewestEscrow } from '../escrow-on-chain.js';
import { applyForEscrow, escrowHeader, hireWithEscrow } from '../escrow-payment.js';
import { type RawAgent, textOf } from '../raw-agent.js';
import { waitUntil } from '../wait-until.js';
import { CLEAN } from '../world.js';
import { answered, CrashFixture } from './crash-fixture.js';

/**
 * Kills the process at the steps of an escrow: its funding, release, return and reclaim. `FAULTS=all` kills it before
 * each step too.
 */
const WHENS = process.env['FAULTS'] === 'all' ? ['before', 'after'] : ['after'];
const CASE_MS = 2 * MINUTE_MS;
const WAGE = 10_000_000n;
const RECLAIM_AFTER_MS = 15 * DAY_MS;

type End = 'released' | 'returned' | 'reclaimed';
/** Steps by the ends that take them. `stick` and `lose` need another chain: `test/contract/escrow.crashes.spec.ts`. */
const ENDS: { readonly [K in EscrowStep['do']]: readonly End[] } = {
  observe: ['released', 'returned', 'reclaimed'],
  secure: [],
  submit: ['released', 'returned'],
  broadcast: ['released', 'returned'],
  replace: ['released'],
  wait: ['returned'],
  release: ['released'],
  return: ['returned', 'reclaimed'],
  stick: [],
  lose: [],
  done: [],
};
const END_CASES = ESCROW_STEPS.flatMap(step =>
  ENDS[step].flatMap(end => WHENS.map(when => [end, `[${when} escrow step ${step}]`] as const)),
);

/** Steps of a funding whose transaction gets into a block at once; `payment-crashes.ts` has the others. */
const FUNDING: readonly Step['do'][] = ['claim', 'observe', 'submit', 'broadcast', 'settle', 'apply'];
const FUNDING_CASES = [
  '[after PaymentAccepted]',
  '[after SeatFilled]',
  '[before EscrowFunded]',
  ...STEPS.filter(step => FUNDING.includes(step)).flatMap(step => WHENS.map(when => `[${when} step ${step}]`)),
  ...WHENS.map(when => `[${when} escrow step secure]`),
];

let fixture: CrashFixture;
let poster: RawAgent;
let worker: RawAgent;
let cases = 0;
beforeAll(async () => void (fixture = await CrashFixture.start({ IDLE_BLOCKS: 'off' })));
// Other escrows may end at the same time, because the clock moves.
beforeEach(async () => {
  cases += 1;
  [poster, worker] = [await fixture.raw(`poster ${cases}`), await fixture.raw(`worker ${cases}`)];
});
afterAll(() => fixture.stop());

const token = () => fixture.token('usdc-base');
const balances = () => Promise.all([poster, worker].map(({ wallet }) => token().balanceOf(wallet.address)));

async function escrowOf(hire: string): Promise<JsonObject> {
  const { body } = await answered(() => worker.post('hires', {}));
  const position = (body['hires'] as unknown as JsonObject[]).find(each => Number(each['hire']) === Number(hire));
  return (position?.['escrow'] ?? {}) as JsonObject;
}

const isTold = async (hire: string) => {
  const { body } = await answered(() => worker.post('inbox', {}));
  const items = (body['items'] ?? []) as unknown as JsonObject[];
  return items.some(({ kind, hire: of }) => kind === 'escrow_funded' && Number(of) === Number(hire));
};

test.each(FUNDING_CASES)(
  'killed %s, the funding of an escrow happens once',
  async point => {
    const fields = await applyForEscrow(poster, worker);
    const payment = await escrowHeader(poster, await poster.post('hire', fields));
    const [paid, received] = await balances();
    fixture.child.dieAt(point);
    await poster.post('hire', fields, payment).catch(() => undefined);
    await fixture.child.ended;
    await fixture.restart();
    const answer = await answered(() => poster.post('hire', fields, payment));
    expect(answer).toMatchObject({ status: 200, body: { ok: true, hire: expect.any(Number) } });
    expect(await balances()).toEqual([paid! - WAGE, received]);
    await waitUntil(() => isTold(textOf(answer, 'hire')));
  },
  CASE_MS,
);

/** Takes an escrow to the instant before its end. */
async function funded(): Promise<string> {
  const { hire } = await hireWithEscrow(poster, worker, { work_days: '1', review_days: '1' });
  await waitUntil(() => isTold(hire));
  return hire;
}

async function endWithService(hire: string, end: End, point: string): Promise<void> {
  if (end === 'released') await worker.ok('deliver', { hire, url: fixture.page() });
  const holdsBlock = /wait|replace/.test(point);
  if (holdsBlock) await token().call('evm_setAutomine', false);
  fixture.child.dieAt(point);
  const ending =
    end === 'released'
      ? poster.post('accept', { hire })
      : worker.post('end_hire', { hire, reason: 'No time for it any more.' });
  await ending.catch(() => undefined);
  await fixture.child.ended;
  if (holdsBlock) await token().call('evm_setAutomine', true);
}

/** The poster takes its money back while no service runs. */
async function reclaim(point: string): Promise<void> {
  await fixture.child.kill();
  await token().call('evm_increaseTime', RECLAIM_AFTER_MS / SECOND_MS);
  await token().call('anvil_setBalance', poster.wallet.address, '0xde0b6b3a7640000');
  await endNewestEscrow(token(), 'reclaim', poster.wallet.address);
  await fixture.startAndDie(point, RECLAIM_AFTER_MS);
}

test.each(END_CASES)(
  'an escrow is %s once after a kill %s',
  async (end, point) => {
    const hire = await funded();
    const [had, received] = await balances();
    if (end === 'reclaimed') await reclaim(point);
    else await endWithService(hire, end, point);
    await fixture.restart();
    const status = end === 'released' ? 'released' : 'returned';
    await waitUntil(async () => (await escrowOf(hire))['status'] === status);
    if (end === 'reclaimed') expect(await escrowOf(hire)).toMatchObject({ reason: 'reclaimed' });
    const [back, wage] = end === 'released' ? [0n, WAGE] : [WAGE, 0n];
    expect(await balances()).toEqual([had! + back, received! + wage]);
  },
  CASE_MS,
);

test(
  'every killed escrow has one funding and one end, and the audit is clean',
  () =>
    fixture.examine(async world => {
      const counts = await world.counts('EscrowFunded', 'EscrowSecured', 'EscrowReleased', 'EscrowReturned', 'Paid');
      const all = FUNDING_CASES.length + END_CASES.length;
      const released = END_CASES.filter(([end]) => end === 'released').length;
      expect(counts.slice(0, 3)).toEqual([all, all, released]);
      expect(counts[4]).toBe(released);
      expect(await world.audit()).toEqual(CLEAN);
    }),
  CASE_MS,
);
