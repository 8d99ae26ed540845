import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import type { JsonObject } from '#libs/kernel/json.js';

export const encodePaymentHeader = (payment: unknown): string =>
  encodePaymentSignatureHeader(payment as Parameters<typeof encodePaymentSignatureHeader>[0]);

export const decodePaymentHeader = (header: unknown): JsonObject | null =>
  typeof header === 'string' && header !== '' ? (decodePaymentRequiredHeader(header) as unknown as JsonObject) : null;
