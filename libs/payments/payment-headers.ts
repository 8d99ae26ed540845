import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import type { JsonObject } from '#libs/kernel/json.js';

/** A payment as x402 writes it into a header: base64 of its JSON. */
export const encodePaymentHeader = (payment: unknown): string =>
  encodePaymentSignatureHeader(payment as Parameters<typeof encodePaymentSignatureHeader>[0]);

/** What stands in a header of x402, be it an offer or an outcome: null where there is no such header. */
export const decodePaymentHeader = (header: unknown): JsonObject | null =>
  typeof header === 'string' && header !== '' ? (decodePaymentRequiredHeader(header) as unknown as JsonObject) : null;
