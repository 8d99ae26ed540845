import { describe, expect, test } from '@jest/globals';
import { SALES } from '#libs/service/sales.js';
import { Connected } from '#libs/features/network/domain/connection.js';
import { Muse } from '#libs/domain/muse.js';
import { Payment } from '#libs/domain/payment.js';
import { Promoted } from '#libs/features/jobs/domain/promoted.js';
import { type AnyPaidAction, onSettled, derivePaymentTerms } from '#libs/endpoints/paid-action.js';
import { asEvents } from '../given.js';
import { judge } from './audit/judge.js';
import { told, WORKER } from './features/worlds.js';

const WALLET = `0x${'b'.repeat(40)}`;
const UNPAID = 'It says that tip was applied, but no event before it names the payment.';
const ELSEWHERE = 'It does not go to an address of its payee.';

const effect = (events: Parameters<typeof onSettled>[1]['events']) =>
  onSettled('tip-effect', { events, writes: ({ accepted }) => Muse.source(accepted.data.muse_id), decide: () => [] });

const tip = (changed: object = {}) =>
  ({ payee: { field: 'to' }, effect: effect([Promoted]), ...changed }) as unknown as AnyPaidAction;

test('every paid endpoint declares its payee and the events that name the payment', () => {
  const terms = Object.fromEntries([...SALES].map(([endpoint, { payee, effects }]) => [endpoint, [payee, ...effects]]));
  expect(terms).toEqual({
    delegate: ['service', 'JobPosted'],
    identity: ['service', 'Verified'],
    job: ['service', 'JobPosted'],
    message: [{ field: 'to' }],
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

type IsOptional<K extends keyof AnyPaidAction> = object extends Pick<AnyPaidAction, K> ? true : false;

test('a sale without its payee does not compile', () => {
  const isOptional: readonly [IsOptional<'payee'>, IsOptional<'payer'>] = [false, true];
  expect(isOptional).toEqual([false, true]);
});

describe('the audit of a payment for a new endpoint', () => {
  const sales = new Map([['tip', derivePaymentTerms('tip', tip({ usd: '0.100000', payer: 'wallet' }))]]);

  function problemsOf(type: 'PaymentAccepted' | 'PaymentApplied', data: object): readonly string[] {
    const muse = [told('Registered', { muse_id: WORKER }), told('Verified', { muse_id: WORKER, wallet: WALLET })];
    const earlier = asEvents(muse, Muse.streamName(WORKER)).map(event => ({ ...event, actor: WORKER }));
    const fact = told(type, { endpoint: 'tip', ...data });
    const { payment } = fact.data as { readonly payment: string };
    return judge([...earlier, ...asEvents([fact], Payment.streamName(payment))], sales);
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
