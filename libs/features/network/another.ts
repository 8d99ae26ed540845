import { fieldRule, Refusal } from '#libs/kernel/refusal.js';
import { isKnown, type KnownMuse, type Muse } from '#libs/streams/muse.js';

/** `to` must be a muse that is there, and not the one that acts. */
export function assertAnother(muse: Muse, to: string, actor: string): asserts muse is KnownMuse {
  fieldRule(to !== actor, 'to', 'This is about another muse, not about oneself.');
  if (!isKnown(muse)) throw new Refusal('not_found', 'There is no such muse.', { field: 'to' });
}
