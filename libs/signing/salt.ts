import { randomBytes } from 'node:crypto';

/** Enough that nobody guesses the message of an erased action, however short it was. */
const SALT_BYTES = 32;

/** 32 bytes, lower-case hex. */
export function newSalt(): string {
  return randomBytes(SALT_BYTES).toString('hex');
}
