import { event, type EventOf, stream } from './define.js';
import * as f from './fields.js';

/**
 * A payment is meant to be sent: written down before anything is. It is identified by the authorization
 * (chain, asset, payer, EIP-3009 nonce). `subject` is what the effect needs besides the request's fields, decided
 * before the payment was taken; `fields` are the request's own.
 */
export const PaymentAccepted = event('PaymentAccepted', {
  payment: f.clear(f.text),
  endpoint: f.clear(f.text),
  muse_id: f.clear(f.museId),
  rail: f.clear(f.rail),
  payer: f.clear(f.address),
  nonce: f.clear(f.transaction),
  amount: f.clear(f.amount),
  valid_after: f.clear(f.text),
  valid_before: f.clear(f.text),
  /** The newest block in which the authorization was read as unused. */
  block: f.clear(f.integer),
  pay_to: f.held(f.address),
  signature: f.held(f.text),
  fields: f.personal(f.requestFields),
  subject: f.personal(f.json),
  /** The stream whose state holds what the payment binds, and everything that is claimed before anything is sent. */
  owner: f.clear(f.text),
  things: f.personal(
    f.list(f.object({ kind: f.oneOf('name', 'key', 'wallet', 'purchase', 'request'), value: f.text })),
  ),
  /**
   * sha256 of the salt's bytes followed by the canonical JSON of endpoint, muse and compared fields: what makes two
   * requests the same purchase.
   */
  request_commitment: f.clear(f.hash),
  request_salt: f.personal(f.hash),
});

/** Our transaction is signed and about to be sent. `raw` is sent again on any doubt. */
export const PaymentSubmitted = event('PaymentSubmitted', {
  payment: f.clear(f.text),
  tx: f.clear(f.transaction),
  relayer: f.clear(f.address),
  relayer_nonce: f.clear(f.integer),
  fee: f.clear(f.amount),
  raw: f.held(f.text),
});

/** The chain shows the transfer, in our transaction or somebody else's. */
export const PaymentSettled = event('PaymentSettled', {
  payment: f.clear(f.text),
  tx: f.clear(f.transaction),
  block: f.clear(f.integer),
});

/** Nothing was sent, or the chain shows that it never can be. Final for the authorization. */
export const PaymentRefused = event('PaymentRefused', { payment: f.clear(f.text), reason: f.clear(f.text) });

/** A confirmed block later than `validBefore` shows the authorization unused. Final for the authorization. */
export const PaymentExpired = event('PaymentExpired', { payment: f.clear(f.text), block: f.clear(f.integer) });

/** What was paid for has happened, or has lost its object meanwhile (`void`, with the reason's code). */
export const PaymentApplied = event('PaymentApplied', {
  payment: f.clear(f.text),
  muse_id: f.clear(f.museId),
  endpoint: f.clear(f.text),
  outcome: f.clear(f.oneOf('applied', 'void')),
  reason: f.clear(f.orNull(f.text)),
});

const EVENTS = [
  PaymentAccepted,
  PaymentSubmitted,
  PaymentSettled,
  PaymentRefused,
  PaymentExpired,
  PaymentApplied,
] as const;

export type Accepted = EventOf<typeof PaymentAccepted>;
export type Submitted = EventOf<typeof PaymentSubmitted>['data'];

interface Intent {
  /** The whole first event: its request, authorization and time are what the effect is carried out with. */
  readonly accepted: Accepted;
  /** Our transactions, oldest first; more than one where the fee was raised. */
  readonly submitted: readonly Submitted[];
}

/** A payment, as its stream `payment-<chain>:<asset>:<payer>:<nonce>` says. */
export type Payment =
  | { readonly status: 'unknown' }
  | (Intent & { readonly status: 'accepted' | 'submitted' })
  | (Intent & { readonly status: 'settled'; readonly tx: string; readonly block: number })
  | (Intent & {
      readonly status: 'applied';
      readonly tx: string;
      readonly block: number;
      readonly outcome: 'applied' | 'void';
      readonly reason: string | null;
    })
  | (Intent & { readonly status: 'refused'; readonly reason: string })
  | (Intent & { readonly status: 'expired' });

type PaymentEvent = EventOf<(typeof EVENTS)[number]>;

export const Payment = stream('payment', {
  /** Chain (the CAIP-2 name without its prefix), asset, payer and nonce, in lower case. */
  key: (payment: string) => payment,
  events: EVENTS,
  initial: { status: 'unknown' },
  evolve(state: Payment, event: PaymentEvent): Payment {
    if (event.type === 'PaymentAccepted') return { status: 'accepted', accepted: event, submitted: [] };
    if (state.status === 'unknown') return state;
    const intent = { accepted: state.accepted, submitted: state.submitted };
    switch (event.type) {
      case 'PaymentSubmitted':
        return { ...intent, status: 'submitted', submitted: [...state.submitted, event.data] };
      case 'PaymentSettled':
        return { ...intent, status: 'settled', tx: event.data.tx, block: event.data.block };
      case 'PaymentRefused':
        return { ...intent, status: 'refused', reason: event.data.reason };
      case 'PaymentExpired':
        return { ...intent, status: 'expired' };
      case 'PaymentApplied':
        if (state.status !== 'settled') return state;
        return { ...state, status: 'applied', outcome: event.data.outcome, reason: event.data.reason };
      default:
        event satisfies never;
        return state;
    }
  },
});

/** Whether money may still move, or has moved and its effect is still owed. */
export function isOpen(payment: Payment): boolean {
  return payment.status === 'accepted' || payment.status === 'submitted' || payment.status === 'settled';
}

/** Whether it ended and nobody was charged. */
export function endedWithoutEffect(payment: Payment): boolean {
  return payment.status === 'unknown' || payment.status === 'refused' || payment.status === 'expired';
}
