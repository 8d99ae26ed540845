import type { Part } from '@a2a-js/sdk';
import type { JsonObject } from '#libs/kernel/json.js';
import { decodePaymentHeader, signedOfferOf, withSignature } from '#libs/payments/payment-headers.js';
import { dataPart, textPart } from './parts.js';
import type { ServiceRefusal } from './service-calls.js';

interface PaymentNotice {
  readonly parts: readonly Part[];
  readonly metadata: JsonObject;
}

/** Offer for clients that only support version 1. */
export const REQUIRED_V1 = 'x402.payment.required.v1';

/** Shown while a payment is in progress. */
export const PAYMENT_SUBMITTED: PaymentNotice = {
  parts: [textPart('The payment is being processed. Get the task again later, and do not send another payment.')],
  metadata: { 'x402.payment.status': 'payment-submitted' },
};

/**
 * Offers version 2 as metadata and as a data part, and version 1 as metadata. `command`: text that must come with the
 * payment, because the payment alone does not tell it.
 */
export function paymentRequired({ body, headers, code, message }: ServiceRefusal, command?: string): PaymentNotice {
  const { x402Version = 1, accepts = [] } = body;
  const isFirst = code === 'payment_required';
  const failure = !isFirst && {
    'x402.payment.error': code.toUpperCase(),
    'x402.payment.receipts': [{ success: false, errorReason: code, transaction: '', network: '' }],
  };
  const notice = isFirst ? 'Payment is required.' : `The payment failed: ${message}`;
  const offer = signedOfferOf(headers, body);
  const next = command === undefined ? 'your next message to this task' : `another message with the text “${command}”`;
  return {
    parts: [textPart(`${notice} Send the payment in the metadata of ${next}.`), ...(offer ? [dataPart(offer)] : [])],
    metadata: {
      'x402.payment.status': isFirst ? 'payment-required' : 'payment-failed',
      ...(offer && { 'x402.payment.required': offer }),
      // An escrow has no offer in version 1.
      ...(x402Version === 1 && { [REQUIRED_V1]: { x402Version, accepts, error: message } }),
      ...failure,
    },
  };
}

/** Returns the receipt of a settled payment, with its signature; undefined if there is none. */
export function paymentReceipts(headers: { readonly [name: string]: unknown }): JsonObject | undefined {
  const settled = decodePaymentHeader(headers['x-payment-response']);
  if (settled === null) return undefined;
  const receipt = withSignature(settled, decodePaymentHeader(headers['payment-response']) ?? {});
  return { 'x402.payment.status': 'payment-completed', 'x402.payment.receipts': [receipt] };
}
