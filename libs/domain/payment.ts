import { defineEvent, type EventOf, defineStream, initially } from './define.js';
import * as f from './event-fields.js';

/** `capture_deadline`, unix seconds: from then on the payer can take the money back. */
const EscrowOfPayment = f.object({
  contract: f.wallet,
  operator: f.wallet,
  payment_hash: f.transaction,
  capture_deadline: f.integer,
});

/**
 * Written before anything is sent. Identified by the authorization (chain, asset, payer, EIP-3009 nonce). `subject`
 * holds input of the effect that was decided before payment; `fields` are those of the request.
 */
export const PaymentAccepted = defineEvent('PaymentAccepted', 'The service accepted a signed payment.', {
  payment: f.common.payment,
  endpoint: f.clear(f.text, 'Endpoint of the purchase'),
  muse_id: f.clear(f.museId),
  rail: f.clear(f.rail),
  payer: f.clear(f.wallet, 'Wallet that pays'),
  nonce: f.clear(f.transaction, 'Nonce of the EIP-3009 authorization'),
  amount: f.clear(f.amount, 'In the smallest unit of the token'),
  valid_after: f.clear(f.text, 'Start of the authorization, unix s'),
  valid_before: f.clear(f.text, 'End of the authorization, unix s'),
  /** Newest block in which the authorization was unused. */
  block: f.clear(f.integer, 'Newest block in which the authorization was unused'),
  pay_to: f.held(f.wallet, 'Wallet that is paid'),
  signature: f.held(f.text, 'Signature of the authorization'),
  fields: f.personal(f.requestFields, 'Fields of the request as sent'),
  subject: f.personal(f.json, 'Basis of the purchase beside the request: hire and version of a wage'),
  /** Hire of a wage payment, so that the worker is paid even if the poster is erased. */
  hire: f.clear(f.optional(f.id), 'Hire of a wage; absent for another purchase'),
  spending: f.clear(
    f.optional(f.object({ account: f.text, limit: f.amount })),
    'Account and daily sum of the token that pays, if it has one',
  ),
  owner: f.clear(f.text, 'Stream of the identity that the purchase is for'),
  things: f.personal(
    f.list(
      f.object({
        kind: f.oneOf('name', 'key', 'wallet', 'purchase', 'request'),
        value: f.text,
        scope: f.optional(f.text),
      }),
    ),
    'Values that the payment reserves: kind, value and, for one agent alone, its scope',
  ),
  /**
   * sha256 of the salt's bytes followed by the canonical JSON of endpoint, muse and compared fields. Equal for
   * repetitions of a purchase.
   */
  request_commitment: f.clear(f.digest, 'Commitment to the purchase'),
  request_salt: f.personal(f.digest, 'Salt of the commitment, hex'),
  /** The nonce and `payment_hash` commit to all terms. */
  escrow: f.clear(f.optional(EscrowOfPayment), 'Terms of a payment that a contract holds; absent for another payment'),
  escrow_salt: f.held(f.optional(f.transaction), 'Salt of these terms'),
});

/** `raw` is sent again when in doubt. */
export const PaymentSubmitted = defineEvent('PaymentSubmitted', 'The service signed the transaction of a payment.', {
  payment: f.common.payment,
  tx: f.common.tx,
  relayer: f.clear(f.wallet, 'Account that sends the transaction'),
  relayer_nonce: f.clear(f.integer, 'Nonce of that account'),
  fee: f.clear(f.amount, 'Highest fee per gas of the transaction'),
  raw: f.held(f.text, 'The signed transaction'),
});

/**
 * The chain shows the transfer, by our transaction or another one. Repeated if a reorganisation moves it before it is
 * final: `wage` then names the affected hire and receipt.
 */
export const PaymentSettled = defineEvent('PaymentSettled', 'The chain shows the transfer of a payment.', {
  payment: f.common.payment,
  tx: f.clear(f.transaction, 'Transaction that made the transfer: any account may have sent it'),
  block: f.common.block,
  wage: f.clear(
    f.optional(f.object({ hire: f.id, item: f.item })),
    'Hire and feed item of a wage that settles again; absent otherwise',
  ),
});

/** Final: nothing was sent, or the chain shows that it cannot succeed. */
export const PaymentRefused = defineEvent('PaymentRefused', 'A payment cannot succeed, so nothing was paid.', {
  payment: f.common.payment,
  reason: f.clear(f.text, 'The reason as a code; null without one'),
});

/** Final: the authorization is unused in a final block later than `validBefore`. */
export const PaymentExpired = defineEvent('PaymentExpired', 'A payment was not settled before it expired.', {
  payment: f.common.payment,
  block: f.clear(f.integer, 'Final block after the end of the authorization'),
});

/** `void`: the effect was no longer possible; `reason` is its code. */
export const PaymentApplied = defineEvent('PaymentApplied', 'A payment took effect, or its purpose had become void.', {
  payment: f.common.payment,
  muse_id: f.clear(f.museId),
  endpoint: f.clear(f.text, 'Endpoint of the purchase'),
  outcome: f.clear(f.oneOf('applied', 'void'), '`applied`, or `void` if the effect was no longer possible'),
  reason: f.clear(f.orNull(f.text), 'The reason as a code; null without one'),
});

/**
 * A reorganisation permanently removed the transfer: by the final `block`, the authorization was spent elsewhere or
 * expired. `tx` is the removed transaction. `undone`: whether the effect was reverted.
 */
export const PaymentLost = defineEvent('PaymentLost', 'A reorganisation of the chain removed a payment for ever.', {
  payment: f.common.payment,
  muse_id: f.clear(f.museId),
  endpoint: f.clear(f.text, 'Endpoint of the purchase'),
  tx: f.clear(f.transaction, 'The removed transaction'),
  block: f.clear(f.integer, 'Final block that shows the loss'),
  reason: f.clear(
    f.oneOf('authorization_spent', 'authorization_expired'),
    '`authorization_spent` or `authorization_expired`',
  ),
  undone: f.clear(f.flag, 'Whether the effect was reverted'),
});

export type PaymentAcceptedEvent = EventOf<typeof PaymentAccepted>;
export type SubmittedTransaction = EventOf<typeof PaymentSubmitted>['data'];

interface PaymentIntent {
  readonly accepted: PaymentAcceptedEvent;
  readonly submitted: readonly SubmittedTransaction[];
}

interface PaymentOutcome {
  readonly tx: string;
  readonly block: number;
  readonly outcome: 'applied' | 'void';
  readonly reason: string | null;
}

export type Payment =
  | { readonly status: 'unknown' }
  | (PaymentIntent & { readonly status: 'accepted' | 'submitted' })
  | (PaymentIntent & { readonly status: 'settled'; readonly tx: string; readonly block: number })
  | (PaymentIntent & PaymentOutcome & { readonly status: 'applied' })
  | (PaymentIntent & PaymentOutcome & { readonly status: 'lost'; readonly lost: EventOf<typeof PaymentLost>['data'] })
  | (PaymentIntent & { readonly status: 'refused'; readonly reason: string })
  | (PaymentIntent & { readonly status: 'expired' });

export const Payment = defineStream('payment', {
  /** Chain (CAIP-2 reference), asset, payer and nonce, in lower case. */
  key: (payment: string) => payment,
  events: [
    PaymentAccepted,
    PaymentSubmitted,
    PaymentSettled,
    PaymentRefused,
    PaymentExpired,
    PaymentApplied,
    PaymentLost,
  ],
  initial: initially<Payment>({ status: 'unknown' }),
  evolve(state, event): Payment {
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
    }
  },
});

export type KnownPayment = Exclude<Payment, { status: 'unknown' }>;
export type SettledPaymentState = Extract<Payment, { status: 'settled' | 'applied' }>;

/** Whether the chain has its transfer. */
export const isSettled = (payment: Payment): payment is SettledPaymentState =>
  payment.status === 'settled' || payment.status === 'applied';

function addSubmission(state: KnownPayment, data: SubmittedTransaction): Payment {
  const all = [...state.submitted, data];
  if (state.status === 'applied' || state.status === 'settled') return { ...state, submitted: all };
  return { status: 'submitted', accepted: state.accepted, submitted: all };
}

function settlePayment(state: KnownPayment, { tx, block }: EventOf<typeof PaymentSettled>['data']): Payment {
  if (state.status === 'applied') return { ...state, tx, block };
  return { status: 'settled', accepted: state.accepted, submitted: state.submitted, tx, block };
}

/** Whether money may still move or the effect is pending. */
export function isOpenPayment(payment: Payment): boolean {
  return payment.status === 'accepted' || payment.status === 'submitted' || payment.status === 'settled';
}

/** Whether it ended without a charge and without an effect that remains. */
export function hasEndedWithoutEffect(payment: Payment): boolean {
  if (payment.status === 'lost') return payment.lost.undone;
  return payment.status === 'unknown' || payment.status === 'refused' || payment.status === 'expired';
}
