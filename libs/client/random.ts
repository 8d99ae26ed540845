import { encodeBase64url } from '#libs/platform/signing/base64url.js';

/** 24 bytes are 32 characters: more than the 22 that an idempotency key needs. */
const TEXT_BYTES = 24;

/** By WebCrypto, which Node and browsers both have. */
export const randomBytes = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count));

/** For nonces and idempotency keys: base64url, 32 characters. */
export const randomText = (): string => encodeBase64url(randomBytes(TEXT_BYTES));
