import type { Part } from '@a2a-js/sdk';
import type { JsonObject } from '#libs/kernel/json.js';
import { decodePaymentHeader } from '#libs/payments/payment-headers.js';
import { dataPart, textPart } from './parts.js';
import type { ServiceRefusal } from './service-calls.js';

/** What a message says of a payment. */
interface PaymentNotice {
  readonly parts: readonly Part[];
  readonly metadata: JsonObject;
}

/** The offer for clients that know version 1 alone. */
export const REQUIRED_V1 = 'x402.payment.required.v1';

/** What a payment says in a task while it is carried out. */
export const PAYMENT_SUBMITTED: PaymentNotice = {
  parts: [textPart('A payment was sent, and is on its way: ask again, and send no other.')],
  metadata: { 'x402.payment.status': 'payment-submitted' },
};

/** Members of a message that waits for a payment: the offer of x402 version 2 as metadata and as data, and version 1. */
export function paymentRequired({ body, headers, code, message }: ServiceRefusal): PaymentNotice {
  const { x402Version = 1, accepts = [] } = body;
  const isFirst = code === 'payment_required';
  const failed = !isFirst && {
    'x402.payment.error': code.toUpperCase(),
    'x402.payment.receipts': [{ success: false, errorReason: code, transaction: '', network: '' }],
  };
  const said = isFirst ? 'Payment is required.' : `The payment was not taken: ${message}`;
  const second = decodePaymentHeader(headers['payment-required']);
  return {
    parts: [
      textPart(`${said} Send it in the metadata of the next message to this task.`),
      ...(second ? [dataPart(second)] : []),
    ],
    metadata: {
      'x402.payment.status': isFirst ? 'payment-required' : 'payment-failed',
      ...(second && { 'x402.payment.required': second }),
      [REQUIRED_V1]: { x402Version, accepts, error: message },
      ...failed,
    },
  };
}

/** What a payment that has settled says in a task; nothing where none was made. */
export function paymentReceipts(headers: { readonly [name: string]: unknown }): JsonObject | undefined {
  const settled = decodePaymentHeader(headers['x-payment-response']);
  if (settled === null) return undefined;
  return { 'x402.payment.status': 'payment-completed', 'x402.payment.receipts': [settled] };
}
