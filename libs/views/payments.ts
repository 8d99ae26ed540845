import {
  PaymentAccepted,
  PaymentApplied,
  PaymentExpired,
  PaymentRefused,
  PaymentSettled,
} from '#libs/streams/payment.js';
import type { Position } from '#libs/kernel/event.js';
import { change, on, projection } from './on.js';

export type PaymentDocument = {
  readonly id: string;
  readonly endpoint: string;
  readonly muse_id: string;
  readonly rail: string;
  readonly amount: string;
  readonly state: 'open' | 'settled' | 'void' | 'refused' | 'expired';
  /** Whether money may still move, or its effect is owed. */
  readonly open: boolean;
  readonly tx: string | null;
  readonly reason: string | null;
  readonly at: number;
  readonly opened: Position;
};

const byPayment = ({ data }: { readonly data: { readonly payment: string } }) => [data.payment];

/** Payments and how they ended: what the watchdog goes by, and the operator's list. */
export const PaymentsView = projection<PaymentDocument>({
  name: 'payments',
  version: 1,
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
    change(PaymentSettled, byPayment, (payment, { data }) => ({ ...payment, tx: data.tx })),
    change(PaymentRefused, byPayment, (payment, { data }) => ({
      ...payment,
      state: 'refused',
      open: false,
      reason: data.reason,
    })),
    change(PaymentExpired, byPayment, payment => ({ ...payment, state: 'expired', open: false })),
    change(PaymentApplied, byPayment, (payment, { data }) => {
      const state = data.outcome === 'void' ? 'void' : 'settled';
      return { ...payment, state, open: false, reason: data.reason };
    }),
  ],
});
