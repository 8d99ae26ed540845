import { PaymentAccepted, PaymentApplied, PaymentLost, PaymentSettled } from '#libs/domain/payment.js';
import { Paid } from '#libs/features/hires/domain/hire.js';
import { MessageSent } from '#libs/features/messages/domain/message.js';
import { monthOf } from '#libs/payments/statement.js';
import * as d from '#libs/views/document-schema.js';
import { by, defineProjection, on, onExisting } from '#libs/views/projection.js';

/** A payment for the statements of its two agents. */
const StatementLineDocument = d.object({
  payment: d.text,
  endpoint: d.text,
  payer: d.museId,
  /** Null if the service is paid. */
  payee: d.orNull(d.museId),
  rail: d.rail,
  amount: d.amount,
  state: d.oneOf('open', 'settled', 'void', 'lost'),
  tx: d.orNull(d.transaction),
  settled_at: d.orNull(d.time),
  /** Month in UTC in which it settled. */
  month: d.orNull(d.text),
  opened: d.position,
});
export type StatementLineDocument = d.DocumentOf<typeof StatementLineDocument>;

const byPayment = by('payment');

export const StatementLines = defineProjection('statement_lines', StatementLineDocument, {
  shape: '60fc6605',
  indexes: { byPayer: ['payer', 'month?', 'opened'], byPayee: ['payee?', 'month?', 'opened'] },
  steps: [
    on(PaymentAccepted, byPayment, (_line, { data, position }) => {
      const { payment, endpoint, muse_id: payer, rail, amount } = data;
      const unknown = { payee: null, tx: null, settled_at: null, month: null };
      return { payment, endpoint, payer, rail, amount, ...unknown, state: 'open', opened: position };
    }),
    onExisting(PaymentSettled, byPayment, (line, { data: { tx }, at }) => {
      const settled_at = line.settled_at ?? at;
      return { ...line, tx, settled_at, month: monthOf(settled_at) };
    }),
    onExisting(PaymentApplied, byPayment, (line, { data: { outcome } }) => ({
      ...line,
      state: outcome === 'void' ? 'void' : 'settled',
    })),
    onExisting(PaymentLost, byPayment, line => ({ ...line, state: 'lost' })),
    onExisting(Paid, byPayment, (line, { data: { worker } }) => ({ ...line, payee: worker })),
    onExisting(
      MessageSent,
      ({ data: { payment } }) => (payment === null ? [] : [payment]),
      (line, { data: { to } }) => ({ ...line, payee: to }),
    ),
  ],
});
