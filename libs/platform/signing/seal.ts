import { createCipheriv, createDecipheriv } from 'node:crypto';
import { freshBytes } from './fresh-bytes.js';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = NONCE_BYTES + TAG_BYTES;

/** Encrypts a text (AES-256-GCM, NIST SP 800-38D), as base64url. */
export const seal = (key: Uint8Array, associatedData: string, text: string): string =>
  sealAll(key, associatedData, [text])[0]!;

/** Throws for another key, other associated data or a changed value. */
export const unseal = (key: Uint8Array, associatedData: string, sealed: string): string =>
  unsealAll(key, associatedData, [sealed])[0]!;

/** Encrypts texts as one, at the cost of one. Each part has the length of its text; the first one adds nonce and tag. */
export function sealAll(key: Uint8Array, associatedData: string, texts: readonly string[]): string[] {
  const nonce = freshBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(associatedData));
  const bytes = texts.map(text => Buffer.from(text));
  const sealed = cipher.update(Buffer.concat(bytes));
  cipher.final();
  return splitAs(bytes, sealed).map((part, at) =>
    (at === 0 ? Buffer.concat([nonce, cipher.getAuthTag(), part]) : part).toString('base64url'),
  );
}

/** Needs all parts in their order; throws as `unseal`. */
export function unsealAll(key: Uint8Array, associatedData: string, sealed: readonly string[]): string[] {
  const bytes = sealed.map(part => Buffer.from(part, 'base64url'));
  const [first, ...rest] = bytes as [Buffer, ...Buffer[]];
  const parts = [first.subarray(HEAD_BYTES), ...rest];
  const decipher = createDecipheriv('aes-256-gcm', key, first.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(associatedData)).setAuthTag(first.subarray(NONCE_BYTES, HEAD_BYTES));
  const opened = decipher.update(Buffer.concat(parts));
  decipher.final();
  return splitAs(parts, opened).map(part => part.toString('utf8'));
}

function splitAs(parts: readonly Buffer[], whole: Buffer): Buffer[] {
  let end = 0;
  return parts.map(({ length }) => whole.subarray(end, (end += length)));
}
