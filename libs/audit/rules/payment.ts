import {
  PaymentAccepted,
  PaymentApplied,
  PaymentExpired,
  PaymentRefused,
  PaymentSettled,
  PaymentSubmitted,
} from '#libs/events/payment.js';
import { paymentStream } from '#libs/events/streams.js';
import { eventId } from '#libs/kernel/ids.js';
import type { Facts } from './facts.js';
import { inStream, on, unless } from './rule.js';

/** What names the payment that it rests on. */
interface OnPayment {
  readonly payment: string;
  readonly tx: string;
  readonly block: number;
}

/** A payment reached the chain, in the transaction and the block that an event names. */
export function settledWith({ payment, tx, block }: OnPayment, facts: Facts): string[] {
  const state = facts.payment(payment);
  const settled = state.status === 'settled' || state.status === 'applied' ? state : null;
  if (!settled) return [`Its payment ${payment} was not settled before it.`];
  const same = settled.tx === tx && settled.block === block;
  return unless([same, `Its payment was settled in ${settled.tx} of block ${settled.block}.`]);
}

interface OfPayment {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly data: { readonly payment: string };
}

/** In the payment's own stream, under an id derived from the payment, behind one of some states. */
function step(event: OfPayment, facts: Facts, ...before: readonly string[]): string[] {
  const { payment } = event.data;
  const { status } = facts.payment(payment);
  const derived = event.id === eventId(`payment/${payment}`, event.stream, event.type, 0);
  return unless(
    inStream(event, paymentStream(payment)),
    [derived || event.type === 'PaymentSubmitted', 'Its id is not derived from its payment.'],
    [before.includes(status), `The payment was ${status} before it; it can only have been ${before.join(' or ')}.`],
  );
}

/** What a payment buys and its effect names. */
const NAMED_EFFECTS = ['job', 'verify', 'identity', 'pay'];

export const PAYMENT_RULES = [
  on(PaymentAccepted, (event, facts) => step(event, facts, 'unknown')),
  on(PaymentSubmitted, (event, facts) => step(event, facts, 'accepted', 'submitted')),
  on(PaymentSettled, (event, facts) => step(event, facts, 'accepted', 'submitted')),
  on(PaymentRefused, (event, facts) => step(event, facts, 'accepted', 'submitted')),
  on(PaymentExpired, (event, facts) => step(event, facts, 'accepted', 'submitted')),
  on(PaymentApplied, (event, facts) => {
    const { payment, outcome, endpoint } = event.data;
    const named = outcome === 'applied' && NAMED_EFFECTS.includes(endpoint);
    const effect = !named || facts.effects.has(payment);
    const sentence = `It says that ${endpoint} was carried out, and no event before it names the payment.`;
    return [...step(event, facts, 'settled'), ...unless([effect, sentence])];
  }),
];
