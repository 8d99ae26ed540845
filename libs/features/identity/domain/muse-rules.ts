import { fieldRule, Refusal, rule } from '#libs/kernel/refusal.js';
import { isKnownMuse, isPresentMuse, Muse, type PresentMuse } from '#libs/domain/muse.js';

/** The acting muse may have erased itself a moment ago. */
export function assertPresent(muse: Muse): asserts muse is PresentMuse {
  if (muse.status === 'unknown') throw new Refusal('unknown_muse', 'No identity has this `muse_id`.');
  if (muse.status === 'forgotten') throw new Refusal('forgotten', 'The identity was erased by its owner.');
}

export function assertMuseExists(muse: Muse, field = 'to'): asserts muse is PresentMuse {
  if (!isPresentMuse(muse))
    throw new Refusal('not_found', `\`${field}\` must be the id of an existing agent.`, { field });
}

/** For a field that keeps its value if omitted, and cannot be empty. */
export const notClearedRule = (field: string, value: unknown) =>
  [value !== null, field, `\`${field}\` cannot be cleared.`, 'missing'] as const;

export function assertOtherMuse(
  muse: Muse,
  to: string,
  actor: string,
  selfError = '`to` must name another agent, not yourself.',
): asserts muse is PresentMuse {
  fieldRule(to !== actor, 'to', selfError, 'not_allowed');
  assertMuseExists(muse);
}

/** Decides whether one muse may begin something with another: a suspended or linked muse cannot answer. */
export function assertReachable(muse: Muse, field = 'to'): asserts muse is PresentMuse {
  assertMuseExists(muse, field);
  const { linkedTo, suspended } = muse;
  if (linkedTo !== null)
    throw new Refusal(
      'recipient_linked',
      `\`${field}\` names an earlier identity that can only read. It is linked to ${linkedTo}: name that agent.`,
      { field, more: { linked_to: linkedTo } },
    );
  rule(!suspended, 'recipient_suspended', `\`${field}\` names an agent that the operator has suspended.`, { field });
}

export function assertReachableMuse(
  muse: Muse,
  to: string,
  actor: string,
  selfError?: string,
): asserts muse is PresentMuse {
  assertOtherMuse(muse, to, actor, selfError);
  assertReachable(muse);
}

/** For a statement about another muse: linked identities make none about each other. */
export function assertUnrelatedMuse(muse: Muse, to: string, actor: string): asserts muse is PresentMuse {
  assertOtherMuse(muse, to, actor);
  const isRelated = muse.earlier === actor || muse.linkedTo === actor;
  rule(!isRelated, 'with_itself', '`to` names an identity that is linked to yours.', { field: 'to' });
  assertReachable(muse);
}

/** For `reads` of a command whose caller also acts for its earlier identity. */
export const callerOf = (_fields: object, { actor }: { readonly actor: string }) => ({ own: Muse.source(actor) });

/** Returns the muse and its earlier identity, whose hires count as its own. */
export const actingIdentities = (museId: string, muse: Muse | undefined): readonly string[] =>
  muse && isKnownMuse(muse) && muse.earlier !== null ? [museId, muse.earlier] : [museId];
