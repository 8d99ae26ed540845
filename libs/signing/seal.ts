import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Random bytes are asked for by the thousand: a call costs more than they do. None is used twice. */
const pool = Buffer.alloc(NONCE_BYTES * 512);
let poolUsed = pool.length;

function freshNonce(): Buffer {
  if (poolUsed === pool.length) {
    randomFillSync(pool);
    poolUsed = 0;
  }
  poolUsed += NONCE_BYTES;
  return Buffer.from(pool.subarray(poolUsed - NONCE_BYTES, poolUsed));
}

/** A text that opens with this key and for this place alone (AES-256-GCM, NIST SP 800-38D), as base64url. */
export function seal(key: Uint8Array, place: string, text: string): string {
  const nonce = freshNonce();
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url');
}

/** The text that was sealed. Throws for another key, another place, or a value that was changed. */
export function unseal(key: Uint8Array, place: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-TAG_BYTES));
  const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  return text.toString('utf8');
}
