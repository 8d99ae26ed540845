import { expect, test } from '@jest/globals';
import { DAY_MS, MINUTE_MS } from '#libs/kernel/clock.js';
import { ESCROW_STEPS, type EscrowStep } from '#libs/payments/escrow-machine.js';
import { type Step, STEPS } from '#libs/payments/payment-machine.js';
import type { PaymentPayload } from '#libs/payments/payment-payload.js';
import { type Call, CALLS, END_OF, movedBy, useEscrowProcesses } from './escrow.processes.js';
import { securedIn } from './escrow.events.js';

/**
 * Ends a process after each step of the funding and of each end of an escrow, and lets another one go on. `FAULTS=all`
 * ends it before each step too.
 */
const CASE_MS = 30_000;
type When = 'before' | 'after';
const WHENS: readonly When[] = process.env['FAULTS'] === 'all' ? ['before', 'after'] : ['after'];

/** Nothing is executed at the step `done`. */
type Executed<T extends string> = Exclude<T, 'done'>;
const isExecuted = <T extends string>(step: T): step is Executed<T> => step !== 'done';

type Situation = 'as ever' | 'undecided' | 'no block' | 'refused' | 'reorganised';
const SITUATIONS: { readonly [K in Executed<EscrowStep['do']>]: Situation } = {
  observe: 'as ever',
  secure: 'undecided',
  submit: 'as ever',
  broadcast: 'as ever',
  replace: 'no block',
  wait: 'no block',
  release: 'as ever',
  return: 'as ever',
  stick: 'refused',
  lose: 'reorganised',
};

type FundingSituation = 'as ever' | 'no block' | 'cancelled' | 'over' | 'reorganised';
const FUNDING: { readonly [K in Executed<Step['do']>]: FundingSituation } = {
  claim: 'as ever',
  observe: 'as ever',
  submit: 'as ever',
  broadcast: 'as ever',
  replace: 'no block',
  wait: 'no block',
  settle: 'as ever',
  refuse: 'cancelled',
  expire: 'over',
  apply: 'as ever',
  lose: 'reorganised',
};

/** Steps that only one of the calls takes. */
const ONLY: { readonly [K in EscrowStep['do']]?: Call } = { release: 'capture', return: 'void', stick: 'void' };
const END_CASES = CALLS.flatMap(call =>
  ESCROW_STEPS.filter(isExecuted)
    .filter(step => (ONLY[step] ?? call) === call)
    .flatMap(step => WHENS.map(when => [call, when, step] as const)),
);
const FUNDING_CASES = STEPS.filter(isExecuted).flatMap(step => WHENS.map(when => [when, step] as const));

const use = useEscrowProcesses();

interface CrashPoint {
  readonly machine: 'payment' | 'escrow';
  readonly when: When;
  readonly step: string;
}

const HOOKS = {
  payment: { before: 'beforeStep', after: 'afterStep' },
  escrow: { before: 'beforeEscrowStep', after: 'afterEscrowStep' },
} as const;

/** A process that dies at a point, and with it everything that it does. */
function mortal({ machine, when, step }: CrashPoint) {
  const death = { happened: false };
  const hook = (next: { readonly do: string }) => {
    if (!death.happened && next.do !== step) return;
    death.happened = true;
    throw new Error('killed');
  };
  return { payments: use.processes.start({ [HOOKS[machine][when]]: hook }), death };
}

async function diesAt(point: CrashPoint): Promise<void> {
  const { payments, death } = mortal(point);
  await use.processes.runUntil(payments, () => death.happened);
  expect([point, death.happened]).toEqual([point, true]);
  await use.processes.pass();
}

async function buyAndDie(payload: PaymentPayload, point: CrashPoint): Promise<void> {
  const { payments, death } = mortal(point);
  await use.processes.escrow.buy(payload, {}, payments).catch((error: unknown) => error);
  expect([point, death.happened]).toEqual([point, true]);
  await use.processes.pass();
}

/** The next process continues until nothing is left to do. */
async function heirEnds(isOver: () => boolean): Promise<void> {
  const heir = use.processes.start();
  await use.processes.runUntil(heir, isOver);
  await heir.reconcile();
  await use.processes.pass();
  await heir.reconcile();
}

/** Takes the funding back, so that it cannot be sent again. */
async function takeBack(snapshot: unknown, payload: PaymentPayload): Promise<void> {
  await use.processes.revert(snapshot);
  await use.processes.cancel(payload);
}

test.each(END_CASES)(
  'the %s of an escrow happens once after a crash %s the step %s',
  async (call, when, step) => {
    const { processes } = use;
    const { escrow } = processes;
    const snapshot = await processes.snapshot();
    const payload = await escrow.fund();
    const situation = SITUATIONS[step];
    if (situation === 'reorganised') await takeBack(snapshot, payload);
    if (situation === 'undecided') await processes.mineUntilFinal();
    else await processes.decide(payload, call);
    const simulate = escrow.chain.simulate.bind(escrow.chain);
    if (situation === 'refused') escrow.chain.simulate = async () => 'Blacklistable: account is blacklisted';
    if (situation === 'no block') await processes.mine(false);
    await diesAt({ machine: 'escrow', when, step });
    await processes.mine(true);
    escrow.chain.simulate = simulate;
    if (situation === 'refused') await processes.pass(DAY_MS);
    if (situation === 'undecided') {
      await heirEnds(() => securedIn(escrow.log, payload).length > 0);
      await processes.decide(payload, call);
    }
    await heirEnds(() => processes.endsOf(payload).length > 0);
    expect(securedIn(escrow.log, payload)).toHaveLength(situation === 'undecided' ? 1 : 0);
    const isLost = situation === 'reorganised';
    expect(processes.endsOf(payload)).toEqual([isLost ? 'EscrowLost' : END_OF[call]]);
    expect(await processes.moved()).toEqual(movedBy(isLost ? 'void' : call));
  },
  CASE_MS,
);

const FAILED = { cancelled: 'PaymentRefused', over: 'PaymentExpired', reorganised: 'PaymentLost' } as const;

test.each(FUNDING_CASES)(
  'an escrow is funded once or never after a crash %s the step %s',
  async (when, step) => {
    const { processes } = use;
    const { escrow } = processes;
    const snapshot = await processes.snapshot();
    const situation = FUNDING[step];
    const payload = await escrow.pay();
    const point: CrashPoint = { machine: 'payment', when, step };
    if (situation === 'no block') await processes.mine(false);
    if (situation === 'as ever') await buyAndDie(payload, point);
    else if (situation === 'reorganised') await escrow.buy(payload);
    else await buyAndDie(payload, { ...point, when: 'after', step: situation === 'no block' ? 'submit' : 'claim' });
    if (situation === 'reorganised') await takeBack(snapshot, payload);
    if (situation === 'cancelled') await processes.cancel(payload);
    if (situation === 'over') await processes.advance(20 * MINUTE_MS);
    if (situation !== 'as ever') await diesAt(point);
    await processes.mine(true);
    const end: string = FAILED[situation as keyof typeof FAILED] ?? 'PaymentApplied';
    await heirEnds(() => escrow.story(payload).at(-1) === end);
    const [isApplied, isLost] = [end === 'PaymentApplied', end === 'PaymentLost'];
    expect(escrow.story(payload).filter(type => type !== 'PaymentSubmitted')).toEqual([
      'PaymentAccepted',
      ...(isApplied || isLost ? ['PaymentSettled', 'PaymentApplied'] : []),
      ...(isApplied ? [] : [end]),
    ]);
    expect(await processes.moved()).toEqual(movedBy(isApplied ? 'fund' : 'void'));
  },
  CASE_MS,
);
