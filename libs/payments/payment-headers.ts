import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import { isJsonObject, type JsonObject } from '#libs/kernel/json.js';
import { OFFER_RECEIPT } from './signed-receipts.js';

export const encodePaymentHeader = (payment: unknown): string =>
  encodePaymentSignatureHeader(payment as Parameters<typeof encodePaymentSignatureHeader>[0]);

export const decodePaymentHeader = (header: unknown): JsonObject | null =>
  typeof header === 'string' && header !== '' ? (decodePaymentRequiredHeader(header) as unknown as JsonObject) : null;

/** Returns the version 2 offer of a 402 with its signatures, for which only the header has no room. Null without one. */
export function signedOfferOf(headers: { readonly [name: string]: unknown }, body: JsonObject): JsonObject | null {
  const offer = decodePaymentHeader(headers['payment-required']);
  return offer && withSignature(offer, body);
}

/** Adds the signed offers or the signed receipt of an answer to its x402 header. */
export function withSignature(header: JsonObject, { extensions }: JsonObject): JsonObject {
  const signed = isJsonObject(extensions) ? extensions[OFFER_RECEIPT] : undefined;
  if (signed === undefined) return header;
  return { ...header, extensions: { ...(header['extensions'] as JsonObject | undefined), [OFFER_RECEIPT]: signed } };
}
