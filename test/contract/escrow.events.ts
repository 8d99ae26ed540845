import type { PaymentPayload } from '#libs/payments/payment-payload.js';
import type { MemoryLog } from '../doubles/memory-log.js';

interface Funding {
  readonly tx: string;
  readonly block: number;
}

/** Newest transfer of a payment in the log. */
export function settledIn(log: MemoryLog, { paymentId }: PaymentPayload): Funding {
  const settled = log.of(`payment-${paymentId}`).findLast(({ type }) => type === 'PaymentSettled');
  return settled!.data as unknown as Funding;
}

/** Contents of the events that call the funding of an escrow final. */
export function securedIn(log: MemoryLog, { paymentId }: PaymentPayload) {
  const events = log.of(`escrow-${paymentId}`).filter(({ type }) => type === 'EscrowSecured');
  return events.map(({ data }) => data as unknown as Funding & { readonly final_block: number });
}
