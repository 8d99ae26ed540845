import { Refusal } from '#libs/kernel/refusal.js';
import type { PaymentRejection } from './payload-checks.js';
import { SPENT } from './payment-machine.js';
import type { EndedPayment } from './payment-responder.js';

export const REFUSED_EARLIER: PaymentRejection = {
  code: 'authorization_refused',
  error: 'This payment was refused or has expired; sign a new one. You were not charged.',
};
const EXPIRED_REJECTION: PaymentRejection = {
  code: 'authorization_expired',
  error: 'The authorization expired before it was used; sign a new one. You were not charged.',
};

/** Ends that the payment itself caused. After any other end the caller may sign a new payment at once. */
const END_REJECTIONS: { readonly [reason: string]: PaymentRejection } = {
  [SPENT]: {
    code: SPENT,
    error: 'The authorization was cancelled or used for something else; sign a new one. You were not charged here.',
  },
  [EXPIRED_REJECTION.code]: EXPIRED_REJECTION,
};

export const wasSent = ({ payment }: EndedPayment) => payment.submitted.length > 0;

export function endReason({ payment }: EndedPayment): string {
  if (payment.status === 'lost') return payment.lost.reason;
  return payment.status === 'refused' ? payment.reason : EXPIRED_REJECTION.code;
}

export const endRejection = (ended: EndedPayment): PaymentRejection =>
  END_REJECTIONS[endReason(ended)] ?? REFUSED_EARLIER;

export const deliveryChanged = () =>
  new Refusal(
    'delivery_changed',
    'Another delivery arrived while you paid; check it before you pay. You were not charged.',
  );
