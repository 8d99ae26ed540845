import { describe, expect, test } from '@jest/globals';
import type { Payment } from '#libs/domain/payment.js';
import {
  nextStep,
  STEPS,
  UNOBSERVED,
  type Observation,
  type AuthorizationStatus,
} from '#libs/payments/payment-machine.js';

const accepted = {} as Extract<Payment, { status: 'accepted' }>['accepted'];
const submitted = [{ payment: 'p', tx: '0x1', relayer: '0x2', relayer_nonce: 0, fee: '1', raw: '0x3' }];
const LOSS = {
  payment: 'p',
  muse_id: 'm',
  endpoint: 'pay',
  tx: '0x1',
  block: 9,
  reason: 'authorization_spent',
} as const;
const PAYMENTS: { readonly [S in Payment['status']]: Payment } = {
  unknown: { status: 'unknown' },
  accepted: { status: 'accepted', accepted, submitted: [] },
  submitted: { status: 'submitted', accepted, submitted },
  settled: { status: 'settled', accepted, submitted, tx: '0x1', block: 2 },
  applied: { status: 'applied', accepted, submitted, tx: '0x1', block: 2, outcome: 'applied', reason: null },
  lost: {
    status: 'lost',
    accepted,
    submitted,
    tx: '0x1',
    block: 2,
    outcome: 'applied',
    reason: null,
    lost: { ...LOSS, undone: true },
  },
  refused: { status: 'refused', accepted, submitted: [], reason: 'wallet_taken' },
  expired: { status: 'expired', accepted, submitted },
};
const GONE = { missingSince: 5 };
const USED: AuthorizationStatus = { status: 'used', tx: '0x4', block: 7 };
const unused = (window: 'open' | 'closed' | 'over', refusal: string | null = null): AuthorizationStatus => ({
  status: 'unused',
  window,
  refusal,
});
const saw = (onChain: AuthorizationStatus | null, more: Partial<Observation> = {}): Observation => ({
  ...UNOBSERVED,
  claims: 'had',
  authorizationStatus: onChain,
  ...more,
});

const RULES: [name: string, Payment['status'], Observation, object][] = [
  ['nothing is done where nothing was accepted', 'unknown', UNOBSERVED, { do: 'done' }],
  [
    'what must be unique is reserved before anything else',
    'accepted',
    saw(unused('open'), { claims: 'unknown' }),
    { do: 'claim' },
  ],
  [
    'what cannot be reserved is refused',
    'accepted',
    saw(null, { claims: { lost: 'name_taken' } }),
    { do: 'refuse', reason: 'name_taken' },
  ],
  ['the chain is asked before anything is signed', 'accepted', saw(null), { do: 'observe' }],
  ['an unused authorization is submitted', 'accepted', saw(unused('open')), { do: 'submit' }],
  ['what the contract refuses now is waited for', 'accepted', saw(unused('open', 'balance')), { do: 'wait' }],
  ['what is too late to send is waited for', 'accepted', saw(unused('closed')), { do: 'wait' }],
  ['what was never sent expires too', 'accepted', saw(unused('over')), { do: 'expire' }],
  ['a stranger who was first is honoured', 'accepted', saw(USED), { do: 'settle', tx: '0x4', block: 7 }],
  [
    'an authorization that was cancelled is refused',
    'accepted',
    saw({ status: 'spent' }),
    { do: 'refuse', reason: 'authorization_spent' },
  ],
  ['a submitted payment is looked at first', 'submitted', saw(null, { claims: 'unknown' }), { do: 'observe' }],
  ['what may not have been sent is sent', 'submitted', saw(unused('open')), { do: 'broadcast' }],
  ['what was sent is waited for', 'submitted', saw(unused('open'), { transaction: 'sent' }), { do: 'wait' }],
  [
    'what the node refused is looked at again',
    'submitted',
    saw(unused('open'), { transaction: 'rejected' }),
    { do: 'wait' },
  ],
  ['what is stuck is replaced', 'submitted', saw(unused('open', 'used'), { transaction: 'stuck' }), { do: 'replace' }],
  ['what failed is submitted anew', 'submitted', saw(unused('open'), { transaction: 'failed' }), { do: 'submit' }],
  [
    'what would fail again is waited for',
    'submitted',
    saw(unused('open', 'balance'), { transaction: 'failed' }),
    { do: 'wait' },
  ],
  [
    'nothing is sent once the time is over',
    'submitted',
    saw(unused('closed'), { transaction: 'stuck' }),
    { do: 'wait' },
  ],
  ['a use that is not confirmed is waited for', 'submitted', saw({ status: 'unconfirmed' }), { do: 'wait' }],
  ['a transfer that took place is settled', 'submitted', saw(USED), { do: 'settle', tx: '0x4', block: 7 }],
  [
    'a spent authorization is refused',
    'submitted',
    saw({ status: 'spent' }),
    { do: 'refuse', reason: 'authorization_spent' },
  ],
  ['only a confirmed later block lets a payment expire', 'submitted', saw(unused('over')), { do: 'expire' }],
  ['a settled payment is applied, whatever was seen', 'settled', saw({ status: 'spent' }), { do: 'apply' }],
  ['an applied payment is done', 'applied', saw(unused('open')), { do: 'done' }],
  ['a settlement that is gone is looked for', 'applied', saw(null, GONE), { do: 'observe' }],
  ['what has settled is sent again once it is gone', 'applied', saw(unused('open'), GONE), { do: 'broadcast' }],
  ['what has settled elsewhere is settled there', 'applied', saw(USED, GONE), { do: 'settle', tx: '0x4', block: 7 }],
  ['what is back where it was is done', 'applied', saw({ ...USED, tx: '0x1', block: 2 }, GONE), { do: 'done' }],
  ['it is waited for while nobody can tell', 'applied', saw({ status: 'unclear' }, GONE), { do: 'wait' }],
  ['and while its time is over by a clock alone', 'applied', saw(unused('closed'), GONE), { do: 'wait' }],
  [
    'what has settled is lost once it can never land',
    'applied',
    saw(unused('over'), GONE),
    { do: 'lose', reason: 'authorization_expired' },
  ],
  [
    'and once its authorization is spent',
    'applied',
    saw({ status: 'spent' }, GONE),
    { do: 'lose', reason: 'authorization_spent' },
  ],
  ['a lost payment is done', 'lost', saw(unused('open'), GONE), { do: 'done' }],
  ['a refused payment is done', 'refused', saw(USED), { do: 'done' }],
  ['an expired payment is done', 'expired', saw(USED), { do: 'done' }],
];

describe('nextStep', () => {
  test.each(RULES)('%s', (_name, status, observation, step) => {
    expect(nextStep(PAYMENTS[status], observation)).toEqual(step);
  });

  test('every step has a rule', () => {
    const named = new Set(RULES.map(([, status, observation]) => nextStep(PAYMENTS[status], observation).do));
    expect([...named].sort()).toEqual([...STEPS].sort());
  });
});
