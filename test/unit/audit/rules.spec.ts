import { describe, expect, test } from '@jest/globals';
import { UNFINISHED_CLAIM_MS } from '#libs/claims/claims.js';
import * as payments from '#libs/domain/payment.js';
import { Claimed } from '#libs/domain/claim.js';
import { ClaimLost } from '#libs/domain/muse.js';
import { Payment } from '#libs/domain/payment.js';
import type { Event, Fact } from '#libs/kernel/event.js';
import { deriveEventId } from '#libs/kernel/ids.js';
import { comparableText } from '#libs/payments/request-commitment.js';
import { computeCommitment } from '#libs/kernel/commitment.js';
import { asEvents, NOW } from '../../given.js';
import { told } from '../features/worlds.js';
import { judge, judgePurchase } from './judge.js';

const accepted = told('PaymentAccepted').data as Parameters<typeof payments.PaymentAccepted>[0];
const { payment } = accepted;
const STREAM = Payment.streamName(payment);
const tx = `0x${'a'.repeat(64)}`;
const submitted = payments.PaymentSubmitted({
  payment,
  tx,
  relayer: accepted.payer,
  relayer_nonce: 1,
  fee: '1',
  raw: '0x02',
});
const settled = payments.PaymentSettled({ payment, tx, block: 7 });
const spent = payments.PaymentRefused({ payment, reason: 'authorization_spent' });
const lost = payments.PaymentRefused({ payment, reason: 'name_taken' });
const expired = payments.PaymentExpired({ payment, block: 9 });
const applied = payments.PaymentApplied({
  payment,
  muse_id: accepted.muse_id,
  endpoint: 'message',
  outcome: 'applied',
  reason: null,
});

const moved = payments.PaymentSettled({ payment, tx, block: 8 });
const gone = (reason: 'authorization_spent' | 'authorization_expired', changed: object = {}) =>
  payments.PaymentLost({
    payment,
    muse_id: accepted.muse_id,
    endpoint: accepted.endpoint,
    tx,
    block: 50,
    reason,
    undone: false,
    ...changed,
  });
const fee = (outcome: 'applied' | 'void') => {
  const { muse_id, endpoint } = accepted;
  return payments.PaymentApplied({ payment, muse_id, endpoint, outcome, reason: null });
};

/** Problems of the last fact, after the others. */
function problemsOf(facts: readonly Fact[]): readonly string[] {
  const events = asEvents(facts, STREAM).map((event, at) => ({
    ...event,
    id: deriveEventId(`payment/${payment}`, STREAM, event.type, facts[at] === moved ? 1 : 0),
  }));
  return judge(events);
}

const first = payments.PaymentAccepted(accepted);

describe('a payment', () => {
  test.each([
    ['submitted after acceptance', [first, submitted]],
    ['submitted again with another fee', [first, submitted, submitted]],
    ['settled by the transaction of a third party', [first, settled]],
    ['settled', [first, submitted, settled]],
    ['refused because its name is taken', [first, lost]],
    ['refused as spent after submission', [first, submitted, spent]],
    ['expired', [first, submitted, expired]],
    ['applied', [first, submitted, settled, applied]],
    ['settled in another block before finality', [first, submitted, settled, applied, moved]],
    ['submitted again after its block is gone', [first, submitted, settled, applied, submitted]],
    ['lost as cancelled', [first, submitted, settled, fee('void'), gone('authorization_spent')]],
    ['lost as expired', [first, submitted, settled, fee('void'), moved, gone('authorization_expired')]],
  ])('may be %s', (_what, facts) => {
    expect(problemsOf(facts)).toEqual([]);
  });

  test.each([
    ['submitted before acceptance', [submitted], 'done'],
    ['settled twice', [first, settled, settled], 'apply'],
    ['refused after settlement', [first, settled, spent], 'apply'],
    ['refused for a claim after submission', [first, submitted, lost], 'observe'],
    ['expired after refusal', [first, spent, expired], 'done'],
    ['applied before settlement', [first, submitted, applied], 'observe'],
    ['lost before settlement', [first, submitted, gone('authorization_spent')], 'refuse'],
    ['lost twice', [first, settled, fee('void'), gone('authorization_spent'), gone('authorization_spent')], 'done'],
    ['settled after it was lost', [first, settled, fee('void'), gone('authorization_spent'), moved], 'done'],
    ['submitted after expiry', [first, expired, submitted], 'done'],
  ])('cannot be %s', (_what, facts, next) => {
    expect(problemsOf(facts).join()).toContain(`its next step is: ${next}`);
  });
});

test('a loss names the settled transaction and whether its effect was reverted', () => {
  const lostAs = (changed: object) =>
    problemsOf([first, submitted, settled, fee('void'), gone('authorization_spent', changed)]).join();
  expect(lostAs({ tx: `0x${'b'.repeat(64)}` })).toContain(
    'Its transaction or endpoint differs from the settled payment.',
  );
  expect(lostAs({ undone: true })).toContain('It says undone=true, but the log does not revert the purchase.');
});

describe('a payment acceptance', () => {
  const { endpoint, muse_id: museId } = accepted;
  const base = asEvents([payments.PaymentAccepted(accepted)], STREAM)[0]!;
  const problems = (data: object, changed: Partial<Event> = {}) => {
    const id = deriveEventId(`payment/${payment}`, STREAM, base.type, 0);
    const events = [{ ...base, id, actor: museId, ...changed, data: { ...accepted, ...data } }];
    return [...judge(events), ...judgePurchase(events)].join();
  };
  const text = comparableText({ endpoint, context: { actor: museId }, fields: accepted.fields });
  const request_commitment = computeCommitment(accepted.request_salt, text);

  test('must match its request', () => {
    expect(problems({ request_commitment })).not.toContain('Its purchase differs');
    expect(problems({ request_commitment, fields: { role: 'another' } })).toContain(
      'Its purchase differs from its request.',
    );
    expect(problems({ request_commitment }, { actor: 'agent_stranger00' })).toContain(
      'Its request by agent_stranger00 was for',
    );
  });

  test('must match its caller, its endpoint and the wallet that pays', () => {
    const service = { authorization: { mode: 'service', reason: 'told' } } as const;
    expect(problems({}, service)).toContain('for no endpoint.');
    const bearer = { authorization: { mode: 'bearer', token: '0'.repeat(16), endpoint: 'job', sealed: null } } as const;
    expect(problems({ endpoint: 'verify' }, bearer)).toContain('for job.');
    const verified = (wallet: string) => problems({ endpoint: 'verify', fields: { wallet } });
    expect(verified(accepted.payer.toUpperCase().replace('0X', '0x'))).not.toContain('another wallet');
    expect(verified(`0x${'b'.repeat(40)}`)).toContain('It is not paid from the wallet that it verifies.');
  });

  test('must match its authorization and the price of its endpoint', () => {
    expect(problems({ nonce: `0x${'8'.repeat(64)}` })).toContain('Its payment id does not match');
    expect(problems({ endpoint: 'verify', amount: '1' })).toContain('The price of verify is 1000000, but it pays 1.');
    expect(problems({ endpoint: 'message', amount: '1' })).toContain('The price of message is 250000, but it pays 1.');
    expect(problems({ valid_before: '1' })).toContain('Its authorization had already expired.');
  });
});

describe('a claim in the stream of a muse', () => {
  const stream = 'claim-muse-x';
  const claimOf = (payment: string, ...subjects: string[]) =>
    asEvents([Claimed({ kind: 'muse', owner: 'muse-a', event: null, payment, subjects })], stream)[0]!;

  test.each([
    ['purchase-1', [], 'was still valid'],
    ['request-1', [], 'was still valid'],
    ['request-2', [], ''],
    ['purchase-1', ['PaymentSettled', 'PaymentApplied'], ''],
    ['request-1', ['PaymentSettled', 'PaymentApplied'], 'was still valid'],
    ['request-1', ['PaymentRefused'], ''],
  ])('names %s after %j with the problem "%s"', (subject, ends, problem) => {
    const paid = ['PaymentAccepted', ...ends].map(type => told(type));
    const events = [...asEvents(paid, Payment.streamName('one')), claimOf('one', 'purchase-1', 'request-1')];
    expect(judge([...events, claimOf('two', 'request-3', subject)]).join()).toContain(problem);
    if (problem === '') expect(judge([...events, claimOf('two', subject)])).toEqual([]);
  });
});

describe('a lost claim', () => {
  const owner = 'muse-agent_worker0000';
  const [claim] = asEvents([Claimed({ kind: 'name', owner, event: 'to-come', payment: null })], 'claim-name-x');
  function problems(afterMs: number, changed: Partial<Event> = {}, claimed: object = {}): string {
    const held = { ...claim!, data: { ...(claim!.data as object), ...claimed } };
    const [lost] = asEvents([ClaimLost({ claim: claim!.id })], owner, NOW + afterMs);
    return judge([held, { ...lost!, based_on: { 'claim-name-x': 0 }, ...changed }]).join();
  }

  test('must have been unfinished for long enough', () => {
    expect(problems(UNFINISHED_CLAIM_MS)).toBe('');
    expect(problems(1_000)).toContain('was too recent to be removed');
  });

  test('must be the last claim of its own muse, and not belong to a payment', () => {
    expect(problems(UNFINISHED_CLAIM_MS, { based_on: {} })).toContain('is not the latest claim');
    expect(problems(UNFINISHED_CLAIM_MS, { stream: 'muse-agent_other00000' })).toContain(`belongs to ${owner}`);
    expect(problems(UNFINISHED_CLAIM_MS, {}, { event: null, payment: 'a-payment' })).toContain(
      'Only a payment can end',
    );
  });
});
