import { Refusal } from '#libs/kernel/refusal.js';
import { isKnown, type Muse } from './muse.js';

/** Refuses with `linked` what a muse asks for that counts for another by now, unless it `mayStill`. */
export function mustNotBeLinked(muse: Muse, mayStill: boolean): void {
  if (mayStill || !isKnown(muse) || muse.linkedTo === null) return;
  throw new Refusal('linked', `This identity counts for ${muse.linkedTo} by now, and only reads.`);
}
