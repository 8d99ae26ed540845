import { base64 } from '@scure/base';
import { type Json, parseJson } from '#libs/kernel/json.js';

/** `@x402/core` would load more than the rest of the client, because it brings `zod`. */

export const encodePaymentHeader = (payment: object): string =>
  base64.encode(new TextEncoder().encode(JSON.stringify(payment)));

/** Returns undefined for a header that is missing or malformed. */
export function decodePaymentHeader(header: string | null): Json | undefined {
  try {
    return parseJson(new TextDecoder().decode(base64.decode(header ?? '')));
  } catch {
    return undefined;
  }
}
