import { describe, expect, test } from '@jest/globals';
import { replayedDecision } from '#libs/audit/decisions/replayed-decision.js';
import { History } from '#libs/audit/history.js';
import { Muse } from '#libs/domain/muse.js';
import { Payment } from '#libs/domain/payment.js';
import { reversalDecision } from '#libs/endpoints/command-decisions.js';
import type { AnyCommand } from '#libs/endpoints/command.js';
import { type AnyPaidAction, derivePaymentTerms, onReverted, onSettled } from '#libs/endpoints/paid-action.js';
import { Hire, Paid, WageLost } from '#libs/features/hires/domain/hire.js';
import { Connected } from '#libs/features/network/domain/connection.js';
import { Promoted } from '#libs/features/jobs/domain/promoted.js';
import type { Fact } from '#libs/kernel/event.js';
import { SALES } from '#libs/service/sales.js';
import { c, optional } from '#libs/endpoints/declare.js';
import { asEvents } from '../given.js';
import { judge, judgePurchase } from './audit/judge.js';
import { HIRE, told, WORKER } from './features/worlds.js';

const WALLET = `0x${'b'.repeat(40)}`;
const UNPAID = 'It says that tip was applied, but no event before it names the payment.';
const ELSEWHERE = 'It does not go to an address of its payee.';

const effect = (events: Parameters<typeof onSettled>[1]['events']) =>
  onSettled('tip-effect', { events, writes: ({ accepted }) => Muse.source(accepted.data.muse_id), decide: () => [] });

const tip = (changed: object = {}) =>
  ({ payee: { field: 'to' }, usd: '0.100000', effect: effect([Promoted]), ...changed }) as unknown as AnyPaidAction;

test('every paid endpoint declares its payee and the events that name the payment', () => {
  const terms = Object.fromEntries([...SALES].map(([endpoint, { payee, effects }]) => [endpoint, [payee, ...effects]]));
  expect(terms).toEqual({
    delegate: ['service', 'JobPosted'],
    hire: ['applicant', 'SeatFilled'],
    identity: ['service', 'Verified'],
    job: ['service', 'JobPosted'],
    message: [{ field: 'to' }, 'MessageSent'],
    pay: ['worker', 'Paid'],
    promote: ['service', 'Promoted'],
    verify: ['service', 'Verified'],
  });
});

test('refuses a sale without an event that names the payment', () => {
  expect(() => derivePaymentTerms('tip', tip({ effect: effect([Connected]) }))).toThrow(
    'tip: no event of its effect has a field',
  );
});

test('refuses a sale whose price no auditor could check', () => {
  expect(() => derivePaymentTerms('tip', tip({ usd: undefined }))).toThrow('tip: declare "usd", "priceOfRequest"');
});

type IsOptional<K extends keyof AnyPaidAction> = object extends Pick<AnyPaidAction, K> ? true : false;

test('a sale without its payee does not compile', () => {
  const isOptional: readonly [IsOptional<'payee'>, IsOptional<'payer'>] = [false, true];
  expect(isOptional).toEqual([false, true]);
});

describe('the audit of a payment for a new endpoint', () => {
  const sales = new Map([['tip', derivePaymentTerms('tip', tip({ payer: 'wallet' }))]]);

  function problemsOf(type: 'PaymentAccepted' | 'PaymentApplied', data: object): readonly string[] {
    const muse = [told('Registered', { muse_id: WORKER }), told('Verified', { muse_id: WORKER, wallet: WALLET })];
    const earlier = asEvents(muse, Muse.streamName(WORKER)).map(event => ({ ...event, actor: WORKER }));
    const fact = told(type, { endpoint: 'tip', ...data });
    const { payment } = fact.data as { readonly payment: string };
    const events = [...earlier, ...asEvents([fact], Payment.streamName(payment))];
    return [...judge(events, sales), ...judgePurchase(events, sales)];
  }

  test('requires the wallet of the muse in the request as the payee', () => {
    const paid = (pay_to: string) => problemsOf('PaymentAccepted', { pay_to, fields: { to: WORKER } });
    expect(paid(WALLET)).not.toContain(ELSEWHERE);
    expect(paid(`0x${'c'.repeat(40)}`)).toContain(ELSEWHERE);
  });

  test('requires the declared price and payer', () => {
    const problems = problemsOf('PaymentAccepted', { amount: '1', fields: { to: WORKER, wallet: WALLET } });
    expect(problems).toContain('The price of tip is 100000, but it pays 1.');
    expect(problems).toContain('It is not paid from the wallet that it verifies.');
  });

  test('requires an event that names the payment', () => {
    expect(problemsOf('PaymentApplied', { outcome: 'applied', reason: null })).toContain(UNPAID);
  });
});

/** A sale whose request names the price, whose effect is a wage, and which reverts it. */
const reverted = tip({
  usd: undefined,
  priceOfRequest: ({ budget }: { readonly budget: string }) => BigInt(budget),
  effect: effect([Paid]),
  undo: onReverted({
    events: [WageLost],
    writes: () => Hire.source(HIRE),
    decide: hire => (hire.status === 'paid' ? [WageLost(hire.paid.data)] : []),
    wage: () => null,
  }),
});
const { payment } = told('PaymentAccepted').data as { readonly payment: string };
const amount = '10000000';
const fields = { to: WORKER, budget: amount };
const tx = `0x${'d'.repeat(64)}`;
const accepted = told('PaymentAccepted', { endpoint: 'tip', amount, fields, pay_to: null });
const settled = told('PaymentSettled', { payment, tx, block: 42 });
const applied = told('PaymentApplied', { payment, endpoint: 'tip', outcome: 'applied', reason: null });
const lost = told('PaymentLost', { payment, endpoint: 'tip', tx, undone: false });

describe('the audit of a payment for an endpoint that reverts its effect', () => {
  const sales = new Map([
    ['tip', derivePaymentTerms('tip', reverted, { budget: optional(c.pattern(/^[0-9]+$/, 'digits'), 'The tip') })],
  ]);
  const paymentEvents = (...facts: Fact[]) => asEvents(facts, Payment.streamName(payment));
  const hireEvents = (...facts: Fact[]) => asEvents(facts, Hire.streamName(HIRE));
  const paid = (changed: object = {}) => told('Paid', { payment, ...changed });
  const hire = [told('Hired'), told('Delivered')];

  test('compares the price with the request', () => {
    const twice = told('PaymentAccepted', { ...(accepted.data as object), amount: '20000000' });
    const problem = 'The price of tip is 10000000, but it pays 20000000.';
    expect(judge(paymentEvents(twice), sales)).toContain(problem);
    expect(judge(paymentEvents(accepted), sales).join()).not.toContain('The price');
  });

  test.each([
    ['amount', { amount: '20000000' }],
    ['usd', { usd: '20' }],
    ['token', { token: 'USDG' }],
    ['rail', { rail: 'usdg-robinhood' }],
    ['network', { network: 'eip155:4663' }],
    ['tx', { tx: `0x${'e'.repeat(64)}` }],
    ['block', { block: 43 }],
  ])('compares the %s of the effect with its payment', (name, changed) => {
    const events = [...paymentEvents(accepted, settled), ...hireEvents(...hire, paid(changed))];
    expect(judge(events, sales).join()).toMatch(new RegExp(`^Its ${name} is [^;]+; its payment has [^;]+\\.$`));
  });

  test('accepts an effect that repeats its payment, and no other', () => {
    expect(judge([...paymentEvents(accepted, settled), ...hireEvents(...hire, paid())], sales)).toEqual([]);
    const foreign = told('PaymentAccepted', { ...(accepted.data as object), endpoint: 'verify' });
    const events = [...paymentEvents(foreign, settled), ...hireEvents(...hire, paid())];
    expect(judge(events, sales)).toEqual(['Its payment was for verify.']);
  });

  test('accepts a moved payment without a wage if its endpoint reverts none', () => {
    const events = [...hireEvents(...hire, paid()), ...paymentEvents(accepted, settled, applied, settled)];
    expect(judge(events, sales).join()).not.toContain('It does not name the wage');
  });

  test('requires that a loss reverts an effect which can be reverted', () => {
    const payments = paymentEvents(accepted, settled, applied, lost);
    const sentence = 'Its purchase was not reverted.';
    expect(judge([...hireEvents(...hire, paid()), ...payments], sales)).toContain(sentence);
    expect(judge([...hireEvents(...hire), ...payments], sales)).not.toContain(sentence);
  });

  test('decides the reversal again as its endpoint declares it', () => {
    const history = new History();
    const events = [...paymentEvents(accepted, settled, applied), ...hireEvents(...hire, paid())];
    for (const event of events) history.applyEvent(event);
    const [base] = hireEvents(told('WageLost'));
    const event = { ...base!, actor: 'service', based_on: { [Payment.streamName(payment)]: 2 } };
    const decide = (endpoint: string) =>
      reversalDecision([{ endpoint, sale: reverted } as unknown as AnyCommand]).decide(
        replayedDecision(event, history),
      );
    expect(decide('tip')).toEqual([WageLost(paid().data as Parameters<typeof WageLost>[0])]);
    expect(() => decide('pay')).toThrow('A lost payment for tip reverts nothing.');
  });
});

test('the audit of a job compares amount and rail of its fee with the payment', () => {
  const problemsOf = (budget: object) => {
    const posted = told('JobPosted');
    const data = posted.data as { readonly payment: string; readonly budget: object };
    const payments = ['PaymentAccepted', 'PaymentSettled'].map(type => told(type, { payment: data.payment }));
    const job = { ...posted, data: { ...data, budget: { ...data.budget, ...budget } } };
    return judge([...asEvents(payments, Payment.streamName(data.payment)), ...asEvents([job], 'job-x')]);
  };
  expect(problemsOf({})).toEqual([]);
  const price = (text: string) => [`Its price is ${text}, but 500000 on usdc-base was paid.`];
  expect(problemsOf({ rail: 'usdg-robinhood' })).toEqual(price('500000 on usdg-robinhood'));
  expect(problemsOf({ amount: '20000000' })).toEqual(price('1000000 on usdc-base'));
});
