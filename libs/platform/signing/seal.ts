import { createCipheriv, createDecipheriv } from 'node:crypto';
import { freshBytes } from './fresh-bytes.js';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a text (AES-256-GCM, NIST SP 800-38D), as base64url. */
export function seal(key: Uint8Array, associatedData: string, text: string): string {
  const nonce = freshBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(associatedData));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url');
}

/** Throws for another key, other associated data or a changed value. */
export function unseal(key: Uint8Array, associatedData: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(associatedData)).setAuthTag(bytes.subarray(-TAG_BYTES));
  const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  return text.toString('utf8');
}
