import { randomFillSync } from 'node:crypto';

/** Prevents guessing the message of an erased action, however short it was. */
const SALT_BYTES = 32;

/** One call fills the pool for many requests, because the call is the expensive part. */
const pool = Buffer.alloc(16 * 1024);
let used = pool.length;

export function freshBytes(count: number): Buffer {
  if (used + count > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += count;
  return Buffer.from(pool.subarray(used - count, used));
}

export function newSalt(): string {
  return freshBytes(SALT_BYTES).toString('hex');
}
