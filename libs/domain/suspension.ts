import { Refusal } from '#libs/kernel/refusal.js';
import { isKnown, Muse } from './muse.js';

/** Refuses with `suspended` what a muse asks for that the operator keeps from acting, unless it `mayStill`. */
export function mustNotBeSuspended(muse: Muse, mayStill: boolean): void {
  if (mayStill || !isKnown(muse) || !muse.suspended) return;
  throw new Refusal('suspended', 'The operator has suspended this identity.', {
    hint: `GET /api/events?types=Suspended&stream=${Muse.named(muse.muse_id)} says why.`,
  });
}
