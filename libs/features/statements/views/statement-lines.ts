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
  /** It settles when the escrow is released, and never if the money is returned. */
  is_escrowed: d.flag,
  state: d.oneOf('open', 'settled', 'void', 'lost'),
  tx: d.orNull(d.transaction),
  settled_at: d.orNull(d.time),
  /** Month in UTC in which it settled. */
  month: d.orNull(d.text),
  opened: d.position,
});
export type StatementLineDocument = d.DocumentOf<typeof StatementLineDocument>;

const byPayment = by('payment');

function settledLine(line: StatementLineDocument, tx: string, at: number): StatementLineDocument {
  const settled_at = line.settled_at ?? at;
  return { ...line, tx, settled_at, month: monthOf(settled_at) };
}

export const StatementLines = defineProjection('statement_lines', StatementLineDocument, {
  shape: '488c5fb3',
  indexes: { byPayer: ['payer', 'month?', 'opened'], byPayee: ['payee?', 'month?', 'opened'] },
  steps: [
    on(PaymentAccepted, byPayment, (_line, { data, position }) => {
      const { payment, endpoint, muse_id: payer, rail, amount } = data;
      const is_escrowed = Boolean(data.escrow);
      const unknown = { payee: null, tx: null, settled_at: null, month: null };
      return { payment, endpoint, payer, rail, amount, is_escrowed, ...unknown, state: 'open', opened: position };
    }),
    onExisting(PaymentSettled, byPayment, (line, { data: { tx }, at }) => {
      return line.is_escrowed ? line : settledLine(line, tx, at);
    }),
    onExisting(PaymentApplied, byPayment, (line, { data: { outcome } }) => ({
      ...line,
      state: outcome === 'void' ? 'void' : 'settled',
    })),
    onExisting(PaymentLost, byPayment, line => ({ ...line, state: 'lost' })),
    onExisting(Paid, byPayment, (line, { data: { worker, tx }, at }) => {
      return { ...(line.is_escrowed ? settledLine(line, tx, at) : line), payee: worker };
    }),
    onExisting(
      MessageSent,
      ({ data: { payment } }) => (payment === null ? [] : [payment]),
      (line, { data: { to } }) => ({ ...line, payee: to }),
    ),
  ],
});
