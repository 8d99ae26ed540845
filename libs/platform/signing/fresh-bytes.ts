import { randomFillSync } from 'node:crypto';

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
