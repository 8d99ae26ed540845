import type { ReadModels } from '#libs/documents/read-models.js';
import { type PaymentDocument, PaymentsView } from './payments.js';

/** Payments that have not ended, the oldest first. */
export async function openPayments(models: ReadModels, limit: number): Promise<PaymentDocument[]> {
  const open = await models.of(PaymentsView).find({ index: 'open', equals: [true], order: 'asc', limit });
  return open.map(({ body }) => body);
}
