import { Refusal } from '#libs/kernel/refusal.js';
import { isKnownMuse, Muse } from './muse.js';

/** Refuses with `suspended` what a muse asks for that the operator keeps from acting, unless it `mayStill`. */
export function assertNotSuspended(muse: Muse, mayStill: boolean): void {
  if (mayStill || !isKnownMuse(muse) || !muse.suspended) return;
  throw new Refusal('suspended', 'The operator has suspended this identity.', {
    hint: `GET /api/events?types=Suspended&stream=${Muse.streamName(muse.muse_id)} says why.`,
  });
}
