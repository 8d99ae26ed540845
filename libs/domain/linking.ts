import { Refusal } from '#libs/kernel/refusal.js';
import { isKnownMuse, type Muse } from './muse.js';

export function assertNotLinked(muse: Muse, mayStill: boolean): void {
  if (mayStill || !isKnownMuse(muse) || muse.linkedTo === null) return;
  throw new Refusal('linked', `This identity is linked to ${muse.linkedTo} and can only read. Act as that muse.`);
}
