import { defineEvent, type EventOf, defineStream } from './define.js';
import * as f from './event-fields.js';

/**
 * A payment is meant to be sent: written down before anything is. It is identified by the authorization
 * (chain, asset, payer, EIP-3009 nonce). `subject` is what the effect needs besides the request's fields, decided
 * before the payment was taken; `fields` are the request's own.
 */
export const PaymentAccepted = defineEvent('PaymentAccepted', {
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
  /** The hire that it is the wage of: its worker is paid also where the poster erases itself meanwhile. */
  hire: f.clear(f.optional(f.id)),
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
export const PaymentSubmitted = defineEvent('PaymentSubmitted', {
  payment: f.clear(f.text),
  tx: f.clear(f.transaction),
  relayer: f.clear(f.address),
  relayer_nonce: f.clear(f.integer),
  fee: f.clear(f.amount),
  raw: f.held(f.text),
});

/**
 * The chain shows the transfer, in our transaction or somebody else's. Again where a reorganisation has put it into
 * another transaction or block before it was final: `wage` then names the hire and the receipt that rest on it.
 */
export const PaymentSettled = defineEvent('PaymentSettled', {
  payment: f.clear(f.text),
  tx: f.clear(f.transaction),
  block: f.clear(f.integer),
  wage: f.clear(f.optional(f.object({ hire: f.id, item: f.item }))),
});

/** Nothing was sent, or the chain shows that it never can be. Final for the authorization. */
export const PaymentRefused = defineEvent('PaymentRefused', { payment: f.clear(f.text), reason: f.clear(f.text) });

/** A final block later than `validBefore` shows the authorization unused. Final for the authorization. */
export const PaymentExpired = defineEvent('PaymentExpired', { payment: f.clear(f.text), block: f.clear(f.integer) });

/** What was paid for has happened, or has lost its object meanwhile (`void`, with the reason's code). */
export const PaymentApplied = defineEvent('PaymentApplied', {
  payment: f.clear(f.text),
  muse_id: f.clear(f.museId),
  endpoint: f.clear(f.text),
  outcome: f.clear(f.oneOf('applied', 'void')),
  reason: f.clear(f.orNull(f.text)),
});

/**
 * A reorganisation took the transfer back, and it can never be made again: at the final block `block` the authorization
 * was cancelled, used for something else, or unused after its time. `tx` is the transaction in which it had settled.
 * `undone` says whether what was paid for was taken back; else it stands, and its price is missing.
 */
export const PaymentLost = defineEvent('PaymentLost', {
  payment: f.clear(f.text),
  muse_id: f.clear(f.museId),
  endpoint: f.clear(f.text),
  tx: f.clear(f.transaction),
  block: f.clear(f.integer),
  reason: f.clear(f.oneOf('authorization_spent', 'authorization_expired')),
  undone: f.clear(f.flag),
});

const EVENTS = [
  PaymentAccepted,
  PaymentSubmitted,
  PaymentSettled,
  PaymentRefused,
  PaymentExpired,
  PaymentApplied,
  PaymentLost,
] as const;

export type PaymentAcceptedEvent = EventOf<typeof PaymentAccepted>;
export type SubmittedTransaction = EventOf<typeof PaymentSubmitted>['data'];

interface PaymentIntent {
  /** The whole first event: its request, authorization and time are what the effect is carried out with. */
  readonly accepted: PaymentAcceptedEvent;
  /** Our transactions, oldest first; more than one where the fee was raised. */
  readonly submitted: readonly SubmittedTransaction[];
}

interface PaymentOutcome {
  readonly tx: string;
  readonly block: number;
  readonly outcome: 'applied' | 'void';
  readonly reason: string | null;
}

/** A payment, as its stream `payment-<chain>:<asset>:<payer>:<nonce>` says. */
export type Payment =
  | { readonly status: 'unknown' }
  | (PaymentIntent & { readonly status: 'accepted' | 'submitted' })
  | (PaymentIntent & { readonly status: 'settled'; readonly tx: string; readonly block: number })
  | (PaymentIntent & PaymentOutcome & { readonly status: 'applied' })
  | (PaymentIntent & PaymentOutcome & { readonly status: 'lost'; readonly lost: EventOf<typeof PaymentLost>['data'] })
  | (PaymentIntent & { readonly status: 'refused'; readonly reason: string })
  | (PaymentIntent & { readonly status: 'expired' });

type PaymentEvent = EventOf<(typeof EVENTS)[number]>;

export const Payment = defineStream('payment', {
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
        return addSubmission(state, event.data);
      case 'PaymentSettled':
        return settlePayment(state, event.data);
      case 'PaymentRefused':
        return { ...intent, status: 'refused', reason: event.data.reason };
      case 'PaymentExpired':
        return { ...intent, status: 'expired' };
      case 'PaymentApplied':
        if (state.status !== 'settled') return state;
        return { ...state, status: 'applied', outcome: event.data.outcome, reason: event.data.reason };
      case 'PaymentLost':
        return state.status === 'applied' ? { ...state, status: 'lost', lost: event.data } : state;
      default:
        event satisfies never;
        return state;
    }
  },
});

type KnownPayment = Exclude<Payment, { status: 'unknown' }>;

/** What is sent again after a reorganisation changes nothing of what the payment has bought. */
function addSubmission(state: KnownPayment, data: SubmittedTransaction): Payment {
  const all = [...state.submitted, data];
  if (state.status === 'applied' || state.status === 'settled') return { ...state, submitted: all };
  return { status: 'submitted', accepted: state.accepted, submitted: all };
}

function settlePayment(state: KnownPayment, { tx, block }: EventOf<typeof PaymentSettled>['data']): Payment {
  if (state.status === 'applied') return { ...state, tx, block };
  return { status: 'settled', accepted: state.accepted, submitted: state.submitted, tx, block };
}

/** Whether money may still move, or has moved and its effect is still owed. */
export function isOpenPayment(payment: Payment): boolean {
  return payment.status === 'accepted' || payment.status === 'submitted' || payment.status === 'settled';
}

/** Whether it ended, nobody was charged, and nothing was bought with it or that was taken back. */
export function hasEndedWithoutEffect(payment: Payment): boolean {
  if (payment.status === 'lost') return payment.lost.undone;
  return payment.status === 'unknown' || payment.status === 'refused' || payment.status === 'expired';
}
