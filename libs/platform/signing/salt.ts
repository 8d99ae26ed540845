import { freshBytes } from './fresh-bytes.js';

/** Prevents guessing the message of an erased action, however short it was. */
const SALT_BYTES = 32;

export function newSalt(): string {
  return freshBytes(SALT_BYTES).toString('hex');
}
