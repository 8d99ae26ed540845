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
  claims: 'held',
  authorizationStatus: onChain,
  ...more,
});

const RULES: [name: string, Payment['status'], Observation, object][] = [
  ['does nothing for an unknown payment', 'unknown', UNOBSERVED, { do: 'done' }],
  ['reserves unique values first', 'accepted', saw(unused('open'), { claims: 'unknown' }), { do: 'claim' }],
  [
    'refuses a payment whose unique value is taken',
    'accepted',
    saw(null, { claims: { lost: 'name_taken' } }),
    { do: 'refuse', reason: 'name_taken' },
  ],
  ['observes the chain before it signs', 'accepted', saw(null), { do: 'observe' }],
  ['submits an unused authorization', 'accepted', saw(unused('open')), { do: 'submit' }],
  ['waits while the contract refuses', 'accepted', saw(unused('open', 'balance')), { do: 'wait' }],
  ['waits when it is too late to send', 'accepted', saw(unused('closed')), { do: 'wait' }],
  ['expires a payment that was never sent', 'accepted', saw(unused('over')), { do: 'expire' }],
  ['settles by the transfer of a third party', 'accepted', saw(USED), { do: 'settle', tx: '0x4', block: 7 }],
  [
    'refuses a cancelled authorization',
    'accepted',
    saw({ status: 'spent' }),
    { do: 'refuse', reason: 'authorization_spent' },
  ],
  ['observes a submitted payment first', 'submitted', saw(null, { claims: 'unknown' }), { do: 'observe' }],
  ['broadcasts a transaction that may not have been sent', 'submitted', saw(unused('open')), { do: 'broadcast' }],
  ['waits for a sent transaction', 'submitted', saw(unused('open'), { transaction: 'sent' }), { do: 'wait' }],
  [
    'waits after the node rejected a transaction',
    'submitted',
    saw(unused('open'), { transaction: 'rejected' }),
    { do: 'wait' },
  ],
  [
    'replaces a stuck transaction',
    'submitted',
    saw(unused('open', 'used'), { transaction: 'stuck' }),
    { do: 'replace' },
  ],
  ['submits a failed transaction again', 'submitted', saw(unused('open'), { transaction: 'failed' }), { do: 'submit' }],
  [
    'waits if a new transaction would fail too',
    'submitted',
    saw(unused('open', 'balance'), { transaction: 'failed' }),
    { do: 'wait' },
  ],
  [
    'waits after the sending window has closed',
    'submitted',
    saw(unused('closed'), { transaction: 'stuck' }),
    { do: 'wait' },
  ],
  ['waits for confirmations', 'submitted', saw({ status: 'unconfirmed' }), { do: 'wait' }],
  ['settles a confirmed transfer', 'submitted', saw(USED), { do: 'settle', tx: '0x4', block: 7 }],
  [
    'refuses a spent authorization',
    'submitted',
    saw({ status: 'spent' }),
    { do: 'refuse', reason: 'authorization_spent' },
  ],
  ['expires a payment after a confirmed later block', 'submitted', saw(unused('over')), { do: 'expire' }],
  ['applies a settled payment in any state of the chain', 'settled', saw({ status: 'spent' }), { do: 'apply' }],
  ['does nothing for an applied payment', 'applied', saw(unused('open')), { do: 'done' }],
  ['observes the chain after a settlement disappeared', 'applied', saw(null, GONE), { do: 'observe' }],
  ['broadcasts a settlement that disappeared again', 'applied', saw(unused('open'), GONE), { do: 'broadcast' }],
  ['settles a moved settlement in its new block', 'applied', saw(USED, GONE), { do: 'settle', tx: '0x4', block: 7 }],
  [
    'does nothing for a settlement that reappeared in its block',
    'applied',
    saw({ ...USED, tx: '0x1', block: 2 }, GONE),
    { do: 'done' },
  ],
  ['waits while the state of the chain is unclear', 'applied', saw({ status: 'unclear' }, GONE), { do: 'wait' }],
  ['waits while only the clock shows the expiry', 'applied', saw(unused('closed'), GONE), { do: 'wait' }],
  [
    'loses a settlement whose authorization has expired',
    'applied',
    saw(unused('over'), GONE),
    { do: 'lose', reason: 'authorization_expired' },
  ],
  [
    'loses a settlement whose authorization is spent',
    'applied',
    saw({ status: 'spent' }, GONE),
    { do: 'lose', reason: 'authorization_spent' },
  ],
  ['does nothing for a lost payment', 'lost', saw(unused('open'), GONE), { do: 'done' }],
  ['does nothing for a refused payment', 'refused', saw(USED), { do: 'done' }],
  ['does nothing for an expired payment', 'expired', saw(USED), { do: 'done' }],
];

describe('the next step of a payment', () => {
  test.each(RULES)('%s', (_name, status, observation, step) => {
    expect(nextStep(PAYMENTS[status], observation)).toEqual(step);
  });

  test('is tested for every step', () => {
    const named = new Set(RULES.map(([, status, observation]) => nextStep(PAYMENTS[status], observation).do));
    expect([...named].sort()).toEqual([...STEPS].sort());
  });
});
