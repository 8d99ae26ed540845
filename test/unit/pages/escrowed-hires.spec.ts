import { expect, test } from '@jest/globals';
import { HOUR_MS } from '#libs/kernel/clock.js';
import { render } from 'preact-render-to-string';
import { EscrowState } from '#libs/channels/pages/elements/escrow-state.js';
import { isWageHeld } from '#libs/channels/pages/elements/escrow-texts.js';
import { hireSteps } from '#libs/channels/pages/job/hire-steps.js';
import type { HireDetails } from '#libs/features/records/hire-details.js';

const [POSTER, WORKER, ARBITER] = ['agent_0000000001', 'agent_0000000002', 'agent_0000000003'];
const WAGE = { amount: '10000000', usd: '10', token: 'USDC', rail: 'usdc-base', network: 'eip155:8453' };
const REVIEW_ENDS_AT = Date.UTC(2027, 0, 4);
const ESCROW = {
  status: 'funded',
  usd: '10',
  deadline: Date.UTC(2027, 0, 27),
  reason: null,
  review_ends_at: null,
} as const;
const IN_REVIEW = { ...ESCROW, review_ends_at: REVIEW_ENDS_AT };
const DELIVERED = { delivery: { version: 1, digest: null } };
const HIRED_AT = Date.UTC(2027, 0, 1);
const NOTHING = { delivery: null, acceptance: null, dispute: null, ended: null, paid: null };

function stepsOf(hire: object, arbiter: string | null = null, now = HIRED_AT) {
  const state = {
    hire: 7,
    created_at: HIRED_AT,
    poster: POSTER,
    worker: WORKER,
    wage: WAGE,
    escrow: ESCROW,
    ...NOTHING,
    ...hire,
  };
  const steps = hireSteps(state as unknown as HireDetails['hire'], { actors: {}, unpayable: new Set(), now }, arbiter);
  return steps.map(({ button, only }) => [button, only] as const);
}

const namesOf = (...of: Parameters<typeof stepsOf>) => stepsOf(...of).map(([button]) => button);

test('a funded escrow asks for no payment, and accepting releases the wage', () => {
  const funded = namesOf({ ...DELIVERED, escrow: IN_REVIEW });
  expect(funded).toContain('Accept and release 10 USDC');
  expect(funded).not.toContain('Pay 10 USDC');
  expect(namesOf({ ...DELIVERED, escrow: { ...ESCROW, status: 'returned' } })).toContain('Pay 10 USDC');
});

test('only the poster can dispute an escrowed hire, and only in its review', () => {
  const disputes = (hire: object) => stepsOf(hire).filter(([button]) => button === 'Open a dispute');
  expect(disputes({ ...DELIVERED, escrow: IN_REVIEW })).toEqual([['Open a dispute', [POSTER]]]);
  expect(disputes(DELIVERED)).toEqual([]);
  expect(disputes({ ...DELIVERED, escrow: { ...IN_REVIEW, status: 'released' } })).toEqual([]);
  expect(disputes({ ...DELIVERED, escrow: null })).toEqual([['Open a dispute', [POSTER, WORKER]]]);
});

test('the arbiter of a disputed hire is asked to decide it', () => {
  const dispute = { by: POSTER, reason: 'It is not in French.', at: 1, state: 'open' };
  const disputed = { ...DELIVERED, escrow: IN_REVIEW, dispute };
  expect(stepsOf(disputed, ARBITER)).toContainEqual(['Decide by this recheck', [ARBITER]]);
  expect(namesOf(disputed)).not.toContain('Decide by this recheck');
});

test('the worker can end a funded hire after its delivery too', () => {
  expect(stepsOf({ ...DELIVERED, escrow: IN_REVIEW })).toContainEqual(['End it', [WORKER]]);
  expect(stepsOf({})).toContainEqual(['End it', [POSTER, WORKER]]);
});

test('the poster has no form that ends a funded hire after its first hour', () => {
  expect(stepsOf({}, null, HIRED_AT + HOUR_MS - 1)).toContainEqual(['End it', [POSTER, WORKER]]);
  expect(stepsOf({}, null, HIRED_AT + HOUR_MS)).toContainEqual(['End it', [WORKER]]);
  expect(stepsOf({ escrow: null }, null, HIRED_AT + HOUR_MS)).toContainEqual(['End it', [POSTER, WORKER]]);
});

test.each([
  ['returning', false],
  ['stuck', false],
  ['returned', true],
  ['lost', true],
] as const)('a hire without a delivery whose wage is %s can be ended: %s', (status, canEnd) => {
  expect(namesOf({ escrow: { ...ESCROW, status } }).includes('End it')).toBe(canEnd);
});

const TERMS = { review_days: 3, undecided: 'returned' } as const;

const sentenceOf = (more: object, isDisputed = false, terms: object = {}) =>
  render(EscrowState({ escrow: { ...ESCROW, ...more }, isDisputed, terms: { ...TERMS, ...terms } })).replace(
    /<time datetime="([^"]+)">[^<]+<\/time>|<[^>]+>/g,
    (_all, at: string | undefined) => at ?? '',
  );

test.each([
  [
    'funded',
    {},
    'until 2027-01-27T00:00:00.000Z at most: it goes to the worker once the poster accepts a delivery, and',
  ],
  ['funded', IN_REVIEW, 'when the poster accepts, or on 2027-01-04T00:00:00.000Z without a dispute.'],
  ['releasing', { reason: 'review_over' }, 'is on its way to the worker: the review ended without a dispute.'],
  ['released', { reason: 'accepted' }, 'to the worker: the poster accepted the delivery.'],
  ['returning', { reason: 'not_delivered' }, 'is on its way back to the poster: nothing was delivered in time.'],
  [
    'released',
    { reason: 'operator', operator_reason: 'It is in French' },
    'to the worker: the operator decided so (“It is in French”).',
  ],
  ['returned', { reason: 'reclaimed' }, 'to the poster: the poster took it back on the chain.'],
  ['stuck', {}, 'the service tries again each day.'],
  ['lost', {}, 'undid the payment of 10 USD into the escrow, so nobody holds the wage.'],
] as const)('the card of a hire says in one sentence where a %s wage is: %j', (status, more, text) => {
  const sentence = sentenceOf({ ...more, status });
  expect(sentence).toContain(text);
  expect(sentence.match(/\. |\.$/g)).toHaveLength(1);
  expect(isWageHeld({ status })).toBe(['funded', 'releasing', 'released'].includes(status));
});

test('the card of a disputed hire says who decides, and what follows otherwise', () => {
  expect(sentenceOf(IN_REVIEW, true)).toContain('it goes back to the poster unless the poster accepts');
  const decided = sentenceOf(IN_REVIEW, true, { undecided: 'released' });
  expect(decided).toContain('the arbiter decides; if it does not within 3 days of the dispute, the money goes to the');
});
