import { fieldRule, Refusal } from '#libs/kernel/refusal.js';
import { isPartyOf } from '#libs/features/hires/domain/hire.js';
import { isKnownMuse, isPresentMuse, type Muse, type PresentMuse } from '#libs/domain/muse.js';

/** The rest of a rule is about the muse that acts. It may have erased itself a moment ago. */
export function assertPresent(muse: Muse): asserts muse is PresentMuse {
  if (muse.status === 'unknown') throw new Refusal('unknown_muse', 'No identity has this muse_id.');
  if (muse.status === 'forgotten') throw new Refusal('forgotten', 'The identity was erased by its owner.');
}

/** The rest of a rule is about a muse that a field names. One that was erased is nobody’s any more. */
export function assertMuseExists(muse: Muse, field = 'to'): asserts muse is PresentMuse {
  if (!isPresentMuse(muse)) throw new Refusal('not_found', `${field} must name an existing muse.`, { field });
}

/** A field that keeps something when it is left out, and that is never without it. */
export const notClearedRule = (field: string, value: unknown) =>
  [value !== null, field, `${field} cannot be cleared.`, 'missing'] as const;

/** `to` must be a muse that is there, and not the one that acts. `otherwise` says what one does not do to oneself. */
export function assertOtherMuse(
  muse: Muse,
  to: string,
  actor: string,
  otherwise = 'to must name another muse, not yourself.',
): asserts muse is PresentMuse {
  fieldRule(to !== actor, 'to', otherwise, 'not_allowed');
  assertMuseExists(muse);
}

/** The same, and neither of the two counts for the other: what they say of each other one would say of oneself. */
export function assertUnrelatedMuse(
  muse: Muse,
  to: string,
  actor: string,
  otherwise?: string,
): asserts muse is PresentMuse {
  assertOtherMuse(muse, to, actor, otherwise);
  const isOneself = muse.earlier === actor || muse.linkedTo === actor;
  fieldRule(!isOneself, 'to', 'to must name another muse: one of you is linked to the other.', 'not_allowed');
}

/** The identities whose hires count as the muse's own: itself and its earlier identity. */
export const actingIdentities = (museId: string, muse: Muse | undefined): readonly string[] =>
  muse && isKnownMuse(muse) && muse.earlier !== null ? [museId, muse.earlier] : [museId];

/** Whether one of these has a part in a hire. */
export const isPartyAsAny = (hire: Parameters<typeof isPartyOf>[0], ids: readonly string[]): boolean =>
  ids.some(id => isPartyOf(hire, id));
