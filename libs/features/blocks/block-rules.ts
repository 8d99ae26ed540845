import { isKnownMuse, Muse } from '#libs/domain/muse.js';
import { c, needed } from '#libs/endpoints/declare.js';
import { assertMuseExists } from '#libs/features/identity/domain/muse-rules.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import type { DecisionContext } from '#libs/kernel/decide.js';
import { PreferenceChanged, Preferences } from './domain/preferences.js';

/** Shared by `block` and `unblock`, which both write the preferences of the caller. */
export const BLOCK_COMMAND = {
  events: [PreferenceChanged],
  writes: (_fields: object, { actor }: DecisionContext) => Preferences.source(actor),
  reads: ({ to }: { readonly to: string }, { actor }: DecisionContext) => ({
    own: Muse.source(actor),
    other: Muse.source(to),
  }),
  readsNext: ({ own }: { readonly own: Muse }) => ({
    earlier: isKnownMuse(own) && own.earlier !== null ? Preferences.source(own.earlier) : undefined,
  }),
} as const;

export const toField = (meaning: string) => needed(c.museId, meaning);

export function assertOtherAgent(other: Muse, to: string, actor: string): void {
  const isOwn = to === actor || (isKnownMuse(other) && (other.linkedTo === actor || other.earlier === actor));
  fieldRule(!isOwn, 'to', '`to` must name another agent, not yourself or an identity of yours.', 'not_allowed');
  fieldRule(to !== SYSTEM_ACCOUNT_ID, 'to', '`to` must not be the house: the house cannot be blocked.', 'not_allowed');
  if (!isKnownMuse(other)) assertMuseExists(other);
}
