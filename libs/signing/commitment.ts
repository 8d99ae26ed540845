import { createHash, randomBytes } from 'node:crypto';

/** Enough that nobody guesses the message of an erased action, however short it was. */
export const SALT_BYTES = 32;

export function newSalt(): Uint8Array {
  return new Uint8Array(randomBytes(SALT_BYTES));
}

/** sha256 of the salt's bytes followed by the signed message's UTF-8 bytes, lower-case hex. */
export function commitmentOf(salt: Uint8Array, message: string | Uint8Array): string {
  return createHash('sha256').update(salt).update(message).digest('hex');
}
