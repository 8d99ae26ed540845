import { fieldRule, Refusal } from '#libs/kernel/refusal.js';
import { isPresent, type Muse, type PresentMuse } from '#libs/streams/muse.js';

/** The rest of a rule is about the muse that acts. It may have erased itself a moment ago. */
export function assertPresent(muse: Muse): asserts muse is PresentMuse {
  if (muse.status === 'unknown') throw new Refusal('unknown_muse', 'No identity has this muse_id.');
  if (muse.status === 'forgotten') throw new Refusal('forgotten', 'The identity was erased by its owner.');
}

/** The rest of a rule is about a muse that a field names. One that was erased is nobody’s any more. */
export function assertMuseExists(muse: Muse, field = 'to'): asserts muse is PresentMuse {
  if (!isPresent(muse)) throw new Refusal('not_found', 'There is no such muse.', { field });
}

/** A field that keeps something when it is left out, and that is never without it. */
export const neverCleared = (field: string, value: unknown) =>
  [value !== null, field, `${field} cannot be cleared.`, 'missing'] as const;

/** `to` must be a muse that is there, and not the one that acts. `otherwise` says what one does not do to oneself. */
export function assertAnother(
  muse: Muse,
  to: string,
  actor: string,
  otherwise = 'This is about another muse, not about oneself.',
): asserts muse is PresentMuse {
  fieldRule(to !== actor, 'to', otherwise, 'not_allowed');
  assertMuseExists(muse);
}
