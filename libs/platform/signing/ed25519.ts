import { createPrivateKey, createPublicKey, randomBytes, sign as signBytes, verify, type KeyObject } from 'node:crypto';
import { decodeBase64url } from './base64url.js';
import { importPublicKey } from './public-key.js';
import { isOrdinaryPoint, littleEndian } from './small-order.js';

export { importPublicKey, PUBLIC_KEY_BYTES } from './public-key.js';

export const SEED_BYTES = 32;
export const SIGNATURE_BYTES = 64;

const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
/** Order of the base point's group (RFC 8032, 5.1). */
const L = 2n ** 252n + 27742317777372353535851937790883648493n;

export type Message = string | Uint8Array;

function bytesOf(message: Message): Uint8Array {
  return typeof message === 'string' ? Buffer.from(message, 'utf8') : message;
}

/** Refuses a second half at or above the group's order, so that each signature has one encoding. */
function importSignature(text: string): Uint8Array | null {
  const bytes = decodeBase64url(text, SIGNATURE_BYTES);
  if (!bytes || !isOrdinaryPoint(bytes.subarray(0, 32))) return null;
  return littleEndian(bytes.subarray(32)) < L ? bytes : null;
}

/**
 * Verifies a pure ed25519 signature (RFC 8032, equation without cofactor). Key: 43, signature: 86 base64url characters.
 * Returns false for malformed input.
 */
export function verifyStrict(publicKey: string, message: Message, signature: string): boolean {
  const key = importPublicKey(publicKey);
  const bytes = importSignature(signature);
  return key !== null && bytes !== null && verify(null, bytesOf(message), key, bytes);
}

/** Like `verifyStrict`, on a thread of the pool. For several waiting signatures. */
export async function verifyInPool(publicKey: string, message: Message, signature: string): Promise<boolean> {
  const key = importPublicKey(publicKey);
  const bytes = importSignature(signature);
  if (!key || !bytes) return false;
  return new Promise((resolve, reject) => {
    verify(null, bytesOf(message), key, bytes, (error, valid) => (error ? reject(error) : resolve(valid)));
  });
}

export function importSeed(seed: Uint8Array): KeyObject {
  if (seed.length !== SEED_BYTES) throw new RangeError(`An ed25519 seed has ${SEED_BYTES} bytes.`);
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
}

/** 86 base64url characters. */
export function sign(privateKey: Uint8Array | KeyObject, message: Message): string {
  const key = privateKey instanceof Uint8Array ? importSeed(privateKey) : privateKey;
  return signBytes(null, bytesOf(message), key).toString('base64url');
}

/** 43 base64url characters. */
export function publicKeyOf(seed: Uint8Array): string {
  const der = createPublicKey(importSeed(seed)).export({ format: 'der', type: 'spki' });
  return der.subarray(-SEED_BYTES).toString('base64url');
}

export function generateKey(): { readonly seed: Uint8Array; readonly publicKey: string } {
  const seed = new Uint8Array(randomBytes(SEED_BYTES));
  return { seed, publicKey: publicKeyOf(seed) };
}
