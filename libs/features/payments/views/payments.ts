import {
  PaymentAccepted,
  PaymentApplied,
  PaymentExpired,
  PaymentLost,
  PaymentRefused,
  PaymentSettled,
} from '#libs/domain/payment.js';
import * as d from '#libs/views/document-schema.js';
import { by, onExisting, on, defineProjection } from '#libs/views/projection.js';

export const PaymentDocument = d.object({
  id: d.text,
  endpoint: d.text,
  muse_id: d.museId,
  rail: d.rail,
  amount: d.amount,
  state: d.oneOf('open', 'settled', 'void', 'refused', 'expired', 'lost'),
  /** Whether money may still move, or the effect is pending. */
  open: d.flag,
  tx: d.orNull(d.transaction),
  reason: d.orNull(d.text),
  at: d.time,
  opened: d.position,
});
export type PaymentDocument = d.DocumentOf<typeof PaymentDocument>;

/** Reason of a settled payment whose effect is pending. */
const NOT_APPLIED = 'not_applied';

const byPayment = by('payment');

export const PaymentsView = defineProjection('payments', PaymentDocument, {
  shape: '709ab2bd',
  indexes: { open: ['open', 'opened'], all: ['opened'] },
  steps: [
    on(PaymentAccepted, byPayment, (_document, { data, at, position }) => {
      const { payment: id, endpoint, muse_id, rail, amount } = data;
      return {
        id,
        endpoint,
        muse_id,
        rail,
        amount,
        state: 'open',
        open: true,
        tx: null,
        reason: null,
        at,
        opened: position,
      };
    }),
    onExisting(PaymentSettled, byPayment, (payment, { data }) => {
      const reason = payment.open ? NOT_APPLIED : payment.reason;
      return { ...payment, tx: data.tx, reason };
    }),
    onExisting(PaymentLost, byPayment, (payment, { data }) => ({ ...payment, state: 'lost', reason: data.reason })),
    onExisting(PaymentRefused, byPayment, (payment, { data }) => ({
      ...payment,
      state: 'refused',
      open: false,
      reason: data.reason,
    })),
    onExisting(PaymentExpired, byPayment, payment => ({ ...payment, state: 'expired', open: false })),
    onExisting(PaymentApplied, byPayment, (payment, { data }) => {
      const state = data.outcome === 'void' ? 'void' : 'settled';
      return { ...payment, state, open: false, reason: data.reason };
    }),
  ],
});
