import { randomFillSync } from 'node:crypto';

/** Random bytes are asked for by the thousand: a call costs more than they do. */
const pool = Buffer.alloc(16 * 1024);
let used = pool.length;

/** Random bytes, at most 1,024, of which none was handed out before. */
export function freshBytes(count: number): Buffer {
  if (used + count > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += count;
  return Buffer.from(pool.subarray(used - count, used));
}
