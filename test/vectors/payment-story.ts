import * as payments from '#libs/domain/payment.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import type { StoryEvent } from './event-story.js';

const PAYER = '0x3333333333333333333333333333333333333333';
const nonce = (digit: string) => `0x${digit.repeat(64)}`;
const id = (digit: string) => `8453:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913:${PAYER}:${nonce(digit)}`;

export const FEE = id('1');
export const EXPIRING = id('2');
export const WAGE = id('3');
export const VERIFICATION = id('4');
export const WAGE_AGAIN = id('7');

export const tx = (payment: string) => `0x${sha256Hex(payment)}`;

export function accepted(actor: string, endpoint: string, payment: string): StoryEvent[] {
  const fact = payments.PaymentAccepted({
    payment,
    endpoint,
    muse_id: actor,
    rail: 'usdc-base',
    payer: PAYER,
    nonce: payment.slice(-66),
    amount: '500000',
    valid_after: '0',
    valid_before: '1795262700',
    block: 40,
    pay_to: '0x5555555555555555555555555555555555555555',
    signature: `0x${'9'.repeat(130)}`,
    fields: { muse_id: actor, title: 'Translate a page' },
    subject: { hire: 1, texts: ['Only for the party.'] },
    owner: `muse-${actor}`,
    things: [{ kind: 'purchase', value: `${endpoint}/${payment.slice(-4)}` }],
    request_commitment: sha256Hex(payment),
    request_salt: '08'.repeat(32),
  });
  return [{ actor, stream: payments.Payment.streamName(payment), fact }];
}

export function settled(payment: string): StoryEvent[] {
  const stream = payments.Payment.streamName(payment);
  const sent = {
    payment,
    tx: tx(payment),
    relayer: PAYER,
    relayer_nonce: 7,
    fee: '1000000',
    raw: `0x02${'f8'.repeat(60)}`,
  };
  return [payments.PaymentSubmitted(sent), payments.PaymentSettled({ payment, tx: tx(payment), block: 41 })].map(
    fact => ({
      actor: 'service',
      stream,
      fact,
    }),
  );
}

export function applied(actor: string, endpoint: string, payment: string): StoryEvent[] {
  const fact = payments.PaymentApplied({ payment, muse_id: actor, endpoint, outcome: 'applied', reason: null });
  return [{ actor: 'service', stream: payments.Payment.streamName(payment), fact }];
}

/** Loss of a payment whose block is gone. */
export function lost(actor: string, endpoint: string, payment: string): StoryEvent[] {
  const gone = { tx: tx(payment), block: 46, reason: 'authorization_expired' as const, undone: true };
  const fact = payments.PaymentLost({ payment, muse_id: actor, endpoint, ...gone });
  return [{ actor: 'service', stream: payments.Payment.streamName(payment), fact }];
}

/** Ends without effect: only the first end counts, but each event type is needed. */
export function ended(payment: string): StoryEvent[] {
  const stream = payments.Payment.streamName(payment);
  return [
    payments.PaymentExpired({ payment, block: 43 }),
    payments.PaymentRefused({ payment, reason: 'authorization_spent' }),
  ].map(fact => ({ actor: 'service', stream, fact }));
}
