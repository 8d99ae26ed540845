import { encodeBase64url } from '#libs/platform/signing/base64url.js';

/** 24 bytes give 32 characters; an idempotency key needs at least 22. */
const TEXT_BYTES = 24;

/** WebCrypto is available in Node and browsers. */
export const randomBytes = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count));

/** 32 base64url characters, for nonces and idempotency keys. */
export const randomText = (): string => encodeBase64url(randomBytes(TEXT_BYTES));
