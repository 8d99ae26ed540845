import { describe, expect, test } from '@jest/globals';
import { Escrow } from '#libs/domain/escrow.js';
import { Payment } from '#libs/domain/payment.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import type { Event, Fact } from '#libs/kernel/event.js';
import { asEvents } from '../../given.js';
import { told } from '../features/worlds.js';
import { judge } from './judge.js';

const funded = told('EscrowFunded');
const { hire, payment, tx, block } = funded.data as {
  readonly hire: number;
  readonly payment: string;
  readonly tx: string;
  readonly block: number;
};
const escrow = {
  contract: `0x${'7'.repeat(40)}`,
  operator: `0x${'8'.repeat(40)}`,
  payment_hash: `0x${'9'.repeat(64)}`,
  capture_deadline: 1_797_854_400,
};
const paid = [
  told('PaymentAccepted', { payment, endpoint: 'hire', escrow }),
  told('PaymentSettled', { payment, tx, block }),
  told('PaymentApplied', { payment, endpoint: 'hire', outcome: 'applied', reason: null }),
];
const inPayment = (facts: readonly Fact[]) => asEvents(facts, Payment.streamName(payment));
const inHire = (facts: readonly Fact[]) => asEvents(facts, Hire.streamName(hire));
const inEscrow = (facts: readonly Fact[]) => asEvents(facts, Escrow.streamName(payment));
const hired = inHire([told('Hired', { hire }), funded]);
const secured = told('EscrowSecured');
const released = told('EscrowReleased', { payment });

const problemsOf = (before: readonly Event[], event: Fact, earlier: readonly Fact[] = []) =>
  judge([...before, ...inEscrow([...earlier, event])]).join();
const whole = [...inPayment(paid), ...hired];

describe('a funding that the log calls final', () => {
  test('has no finding, also if its end was decided in the same moment', () => {
    expect(problemsOf(whole, secured)).toBe('');
    const decided = inHire([...hired, told('EscrowDecided', { hire, payment, to: 'worker', reason: 'accepted' })]);
    expect(problemsOf([...inPayment(paid), ...decided], secured)).toBe('');
  });

  test.each([
    ['without a funding of the hire', [...inPayment(paid), ...inHire([told('Hired', { hire })])], {}, 'No hire of'],
    ['without a hire', inPayment(paid), {}, 'No hire of these parties'],
    ['for another worker', whole, { worker: 'agent_other00000' }, 'No hire of these parties'],
    ['without its payment', hired, {}, 'Its payment has no escrow'],
    ['before its payment settled', [...inPayment(paid.slice(0, 1)), ...hired], {}, 'did not settle so'],
    ['by another transaction', whole, { tx: `0x${'1'.repeat(64)}` }, 'did not settle so'],
    ['in another block', whole, { block: block - 1 }, 'did not settle so'],
    ['by a final block before its own', whole, { final_block: block - 1 }, 'do not lead to this step'],
  ])('is found %s', (_case, before, changed, problem) => {
    expect(problemsOf(before, { ...secured, data: { ...(secured.data as object), ...changed } })).toContain(problem);
  });

  test('is found a second time, and after the end of the escrow', () => {
    expect(problemsOf(whole, secured, [secured])).toContain('do not lead to this step');
    expect(problemsOf(whole, secured, [released])).toContain('The escrow was released before it');
  });
});
