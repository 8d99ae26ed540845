import { Refusal } from '#libs/kernel/refusal.js';
import { isKnownMuse, type Muse } from './muse.js';

/** Refuses with `linked` what a muse asks for that counts for another by now, unless it `mayStill`. */
export function assertNotLinked(muse: Muse, mayStill: boolean): void {
  if (mayStill || !isKnownMuse(muse) || muse.linkedTo === null) return;
  throw new Refusal('linked', `This identity counts for ${muse.linkedTo} by now, and only reads.`);
}
