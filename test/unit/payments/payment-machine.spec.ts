import { describe, expect, test } from '@jest/globals';
import type { Payment } from '#libs/domain/payment.js';
import {
  EXPIRED,
  nextStep,
  SPENT,
  STEPS,
  UNOBSERVED,
  type Observation,
  type AuthorizationStatus,
} from '#libs/payments/payment-machine.js';

const accepted = {} as Extract<Payment, { status: 'accepted' }>['accepted'];
const submitted = [{ payment: 'p', tx: '0x1', relayer: '0x2', relayer_nonce: 0, fee: '1', raw: '0x3' }];
const settled = { accepted, submitted, tx: '0x1', block: 2 };
const applied = { ...settled, outcome: 'applied', reason: null } as const;
const lost = { undone: true } as Extract<Payment, { status: 'lost' }>['lost'];
const PAYMENTS: { readonly [S in Payment['status']]: Payment } = {
  unknown: { status: 'unknown' },
  accepted: { status: 'accepted', accepted, submitted: [] },
  submitted: { status: 'submitted', accepted, submitted },
  settled: { status: 'settled', ...settled },
  applied: { status: 'applied', ...applied },
  lost: { status: 'lost', ...applied, lost },
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
  onChain,
  ...more,
});

const sent = (transaction: Observation['transaction'], refusal: string | null = null) =>
  saw(unused('open', refusal), { transaction });

const SETTLE = { do: 'settle', tx: '0x4', block: 7 };
const refuse = (reason: string) => ({ do: 'refuse', reason });
const lose = (reason: string) => ({ do: 'lose', reason });

const RULES: [name: string, Payment['status'], Observation, step: string | object][] = [
  ['does nothing for an unknown payment', 'unknown', UNOBSERVED, 'done'],
  ['reserves unique values first', 'accepted', saw(unused('open'), { claims: 'unknown' }), 'claim'],
  [
    'refuses a payment whose unique value is taken',
    'accepted',
    saw(null, { claims: { lost: 'name_taken' } }),
    refuse('name_taken'),
  ],
  ['observes the chain before it signs', 'accepted', saw(null), 'observe'],
  ['submits an unused authorization', 'accepted', saw(unused('open')), 'submit'],
  ['waits while the contract refuses', 'accepted', saw(unused('open', 'balance')), 'wait'],
  ['waits when it is too late to send', 'accepted', saw(unused('closed')), 'wait'],
  ['expires a payment that was never sent', 'accepted', saw(unused('over')), 'expire'],
  ['settles by the transfer of a third party', 'accepted', saw(USED), SETTLE],
  ['refuses a cancelled authorization', 'accepted', saw({ status: 'spent' }), refuse(SPENT)],
  ['observes a submitted payment first', 'submitted', saw(null, { claims: 'unknown' }), 'observe'],
  ['broadcasts a transaction that may not have been sent', 'submitted', saw(unused('open')), 'broadcast'],
  ['waits for a sent transaction', 'submitted', sent('sent'), 'wait'],
  ['waits after the node rejected a transaction', 'submitted', sent('rejected'), 'wait'],
  ['replaces a stuck transaction', 'submitted', sent('stuck', 'used'), 'replace'],
  ['submits a failed transaction again', 'submitted', sent('failed'), 'submit'],
  ['waits if a new transaction would fail too', 'submitted', sent('failed', 'balance'), 'wait'],
  ['waits after the sending window has closed', 'submitted', saw(unused('closed'), { transaction: 'stuck' }), 'wait'],
  ['waits for confirmations', 'submitted', saw({ status: 'unconfirmed' }), 'wait'],
  ['settles a confirmed transfer', 'submitted', saw(USED), SETTLE],
  ['refuses a spent authorization', 'submitted', saw({ status: 'spent' }), refuse(SPENT)],
  ['expires a payment after a confirmed later block', 'submitted', saw(unused('over')), 'expire'],
  ['applies a settled payment in any state of the chain', 'settled', saw({ status: 'spent' }), 'apply'],
  ['does nothing for an applied payment', 'applied', saw(unused('open')), 'done'],
  ['observes the chain after a settlement disappeared', 'applied', saw(null, GONE), 'observe'],
  ['broadcasts a settlement that disappeared again', 'applied', saw(unused('open'), GONE), 'broadcast'],
  ['settles a moved settlement in its new block', 'applied', saw(USED, GONE), SETTLE],
  [
    'does nothing for a settlement that reappeared in its block',
    'applied',
    saw({ ...USED, tx: '0x1', block: 2 }, GONE),
    'done',
  ],
  ['waits while the state of the chain is unclear', 'applied', saw({ status: 'unclear' }, GONE), 'wait'],
  ['waits while only the clock shows the expiry', 'applied', saw(unused('closed'), GONE), 'wait'],
  ['loses a settlement whose authorization has expired', 'applied', saw(unused('over'), GONE), lose(EXPIRED)],
  ['loses a settlement whose authorization is spent', 'applied', saw({ status: 'spent' }, GONE), lose(SPENT)],
  ['does nothing for a lost payment', 'lost', saw(unused('open'), GONE), 'done'],
  ['does nothing for a refused payment', 'refused', saw(USED), 'done'],
  ['does nothing for an expired payment', 'expired', saw(USED), 'done'],
];

describe('the next step of a payment', () => {
  test.each(RULES)('%s', (_name, status, observation, step) => {
    expect(nextStep(PAYMENTS[status], observation)).toEqual(typeof step === 'string' ? { do: step } : step);
  });

  test('is tested for every step', () => {
    const named = new Set(RULES.map(([, status, observation]) => nextStep(PAYMENTS[status], observation).do));
    expect([...named].sort()).toEqual([...STEPS].sort());
  });
});
