import { expect, test } from '@jest/globals';
import { sha256Hex } from '#libs/kernel/ids.js';
import { HOUR_MS } from '#libs/kernel/clock.js';
import type { Event, Fact } from '#libs/kernel/event.js';
import { Muse, Registered, TokenIssued } from '#libs/domain/muse.js';
import { Payment, PaymentAccepted, PaymentRefused, PaymentSubmitted } from '#libs/domain/payment.js';
import { Spending, SpendingCounted } from '#libs/domain/spending.js';
import { exampleFact } from '../../vectors/example-facts.js';
import { asEvents, NOW } from '../../given.js';
import { POSTER } from '../features/worlds.js';
import { judge } from './judge.js';

const HASH = sha256Hex('a token with a sum');
const ACCOUNT = HASH.slice(0, 16);
const LIMIT = { account: ACCOUNT, limit: '10' };
const STREAM = Spending.streamName(POSTER, ACCOUNT);

function event(fact: Fact, stream: string, revision: number, changed: Partial<Event> = {}): Event {
  return { ...asEvents([fact], stream)[0]!, revision, ...changed };
}
const paymentEvent = (payment: string, fact: Fact, revision: number, changed: Partial<Event> = {}) =>
  event(fact, Payment.streamName(payment), revision, { actor: POSTER, ...changed });

function accepted(payment: string, amount: string, at = NOW, spending: object | undefined = LIMIT): Event {
  const { data } = exampleFact(PaymentAccepted) as { readonly data: object };
  const fact = { ...exampleFact(PaymentAccepted), data: { ...data, payment, amount, muse_id: POSTER, spending } };
  return paymentEvent(payment, fact, 0, { at });
}
const counted = (payment: string, amount: string, revision: number, at = NOW) =>
  event(SpendingCounted({ muse_id: POSTER, ...LIMIT, payment, amount }), STREAM, revision, { at, actor: POSTER });

const ONE = [accepted('one', '6', NOW - HOUR_MS), counted('one', '6', 0, NOW - HOUR_MS)];

test('a payment beyond the sum of its token is found, and one within it is not', () => {
  expect(judge([...ONE, accepted('two', '4'), counted('two', '4', 1)])).toEqual([]);
  expect(judge([...ONE, accepted('two', '5'), counted('two', '5', 1)])).toEqual([
    'The token had already spent 6 of 10.',
  ]);
  const refused = paymentEvent('one', PaymentRefused({ payment: 'one', reason: 'overtaken' }), 1);
  expect(judge([...ONE, refused, accepted('two', '5'), counted('two', '5', 1)])).toEqual([]);
});

test('a count that differs from its payment is found', () => {
  expect(judge([accepted('one', '6'), counted('one', '5', 0)]).join()).toContain('Its amount or time differs');
  expect(judge([counted('one', '5', 0)]).join()).toContain('The payment that it counts was not accepted.');
  expect(judge([...ONE, counted('one', '6', 1, NOW - HOUR_MS)]).join()).toContain('had been counted before');
});

test('a payment that was sent without a count is found', () => {
  const fact = exampleFact(PaymentSubmitted);
  const data = { ...(fact.data as object), payment: 'one' };
  const submitted = paymentEvent('one', { ...fact, data }, 1);
  expect(judge([ONE[0]!, submitted]).join()).toContain('It was not counted towards the daily sum of its token.');
  expect(judge([...ONE, submitted]).join()).not.toContain('It was not counted');
});

test('an acceptance that hides the sum of its token is found', () => {
  const issued = TokenIssued({ muse_id: POSTER, hash: HASH, expires_at: NOW * 2, spend_a_day: '10' });
  const stream = Muse.streamName(POSTER);
  const registration = exampleFact(Registered);
  const registered = event({ ...registration, data: { ...(registration.data as object), muse_id: POSTER } }, stream, 0);
  const history = [registered, event(issued, stream, 1)];
  const authorization = {
    mode: 'bearer',
    token: ACCOUNT,
    endpoint: 'job',
    sealed: null,
  } as unknown as Event['authorization'];
  const paid = (spending?: object) => ({
    ...accepted('one', '6', NOW, spending),
    authorization,
    based_on: { [stream]: 1 },
  });
  const hidden = 'It does not name the daily sum of its token.';
  expect(judge([...history, paid(LIMIT)]).join()).not.toContain(hidden);
  expect(judge([...history, paid({ ...LIMIT, limit: '11' })]).join()).toContain(hidden);
});
