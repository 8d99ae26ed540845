import type { EventOf } from '#libs/events/define.js';
import type {
  PaymentAccepted,
  PaymentApplied,
  PaymentExpired,
  PaymentRefused,
  PaymentSettled,
  PaymentSubmitted,
} from '#libs/events/payment.js';
import type { Entity } from '#libs/kernel/decide.js';
import type { Event } from '#libs/kernel/event.js';

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

type PaymentEvent =
  | Accepted
  | EventOf<typeof PaymentSubmitted>
  | EventOf<typeof PaymentSettled>
  | EventOf<typeof PaymentRefused>
  | EventOf<typeof PaymentExpired>
  | EventOf<typeof PaymentApplied>;

export const Payment: Entity<Payment> = {
  initial: { status: 'unknown' },
  evolve(state, raw: Event): Payment {
    const event = raw as PaymentEvent;
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
};

/** Whether money may still move, or has moved and its effect is still owed. */
export function isOpen(payment: Payment): boolean {
  return payment.status === 'accepted' || payment.status === 'submitted' || payment.status === 'settled';
}

/** Whether it ended and nobody was charged. */
export function endedWithoutEffect(payment: Payment): boolean {
  return payment.status === 'unknown' || payment.status === 'refused' || payment.status === 'expired';
}
