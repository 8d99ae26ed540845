import type { EndpointAccess } from '#libs/http/routes.js';
import { assertNotLinked } from '#libs/domain/linking.js';
import { assertNotSuspended } from '#libs/domain/suspension.js';
import type { RequestFields } from '#libs/kernel/event.js';
import { isSiblingId } from '#libs/kernel/ids.js';
import { rule } from '#libs/kernel/refusal.js';
import type { MusePrincipal } from './muse-principals.js';

/** The caller: a muse that has `joined`, any `known` muse, a `newKey` that signs for itself, or `anyone` unsigned. */
export type CallerKind = 'joined' | 'known' | 'newKey' | 'anyone';

/** Requests open to a suspended muse: all, or those whose fields it `allows`, which write only these `events`. */
export type WhileSuspended =
  true | { readonly allows: (sent: RequestFields) => boolean; readonly events: readonly { readonly type: string }[] };

/** Rules of an endpoint about its callers: for requests, their decisions and auditors. */
export interface CallerRules {
  readonly who: CallerKind;
  /** Requests that a suspended muse may still make; by default none. */
  readonly whileSuspended?: WhileSuspended;
  /** Whether a sibling identity may call it before it has joined; by default not. */
  readonly beforeJoining?: boolean;
  /** Whether a linked muse may still call it; by default not. */
  readonly whileLinked?: boolean;
}

export const requiresJoining = ({ who, beforeJoining }: CallerRules, museId: string): boolean =>
  who === 'joined' || (isSiblingId(museId) && !beforeJoining);

export const isOpenToSuspended = ({ whileSuspended }: CallerRules, sent: RequestFields): boolean =>
  typeof whileSuspended === 'object' ? whileSuspended.allows(sent) : whileSuspended === true;

/** Whether a request of a suspended muse may write a type of event, whatever its fields: they may be hidden or erased. */
export const canWriteWhileSuspended = ({ whileSuspended }: CallerRules, eventType: string): boolean =>
  typeof whileSuspended === 'object'
    ? whileSuspended.events.some(({ type }) => type === eventType)
    : whileSuspended === true;

export function buildEndpointAccess(rules: CallerRules): EndpointAccess {
  const { who, whileSuspended, whileLinked = false, beforeJoining } = rules;
  const isJoiningAsked = who === 'joined' || (who === 'known' && !beforeJoining);
  return {
    codes: [
      ...(isJoiningAsked ? (['join_first'] as const) : []),
      ...(who === 'anyone' || whileSuspended === true ? [] : (['suspended'] as const)),
      ...((who === 'joined' || who === 'known') && !whileLinked ? (['linked'] as const) : []),
    ],
    check({ id, muse }: MusePrincipal, sent) {
      const mayCall = !requiresJoining(rules, id) || muse.status === 'joined';
      rule(mayCall, 'join_first', 'This needs an identity that has joined: POST /api/join first.');
      assertNotSuspended(muse, isOpenToSuspended(rules, sent));
      assertNotLinked(muse, whileLinked);
    },
  };
}
