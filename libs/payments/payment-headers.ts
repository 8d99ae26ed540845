import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import type { JsonObject } from '#libs/kernel/json.js';

/** Base64 of its JSON, as x402 defines it. */
export const encodePaymentHeader = (payment: unknown): string =>
  encodePaymentSignatureHeader(payment as Parameters<typeof encodePaymentSignatureHeader>[0]);

/** Decodes an offer or a settlement. */
export const decodePaymentHeader = (header: unknown): JsonObject | null =>
  typeof header === 'string' && header !== '' ? (decodePaymentRequiredHeader(header) as unknown as JsonObject) : null;
