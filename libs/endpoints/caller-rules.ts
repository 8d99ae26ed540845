import { assertNotSuspended, canCallWhileSuspended, isOpenWhileSuspended } from '#libs/domain/suspension.js';
import type { EndpointAccess } from '#libs/http/routes.js';
import { isSiblingId } from '#libs/kernel/ids.js';
import { rule, Refusal } from '#libs/kernel/refusal.js';
import { isKnownMuse, type Muse } from '#libs/domain/muse.js';
import type { MusePrincipal } from './muse-principals.js';

export type CallerKind = 'joined' | 'known' | 'newKey' | 'anyone';

export interface CallerRules {
  readonly who: CallerKind;
  /** Whether a sibling identity may call it before it has joined. False by default. */
  readonly beforeJoining?: boolean;
  readonly whileLinked?: boolean;
}

export const requiresJoining = ({ who, beforeJoining }: CallerRules, museId: string): boolean =>
  who === 'joined' || (isSiblingId(museId) && !beforeJoining);

export function buildEndpointAccess(rules: CallerRules & { readonly endpoint: string }): EndpointAccess {
  const { who, endpoint, whileLinked = false, beforeJoining } = rules;
  const canRequireJoining = who === 'joined' || (who === 'known' && !beforeJoining);
  return {
    codes: [
      ...(canRequireJoining ? (['join_first'] as const) : []),
      ...(who === 'anyone' || isOpenWhileSuspended(endpoint) ? [] : (['suspended'] as const)),
      ...(who === 'anyone' || whileLinked ? [] : (['linked'] as const)),
    ],
    check({ id, muse }: MusePrincipal, sent) {
      const mayCall = !requiresJoining(rules, id) || muse.status === 'joined';
      rule(mayCall, 'join_first', 'You must join first: POST /api/join.');
      assertNotSuspended(muse, canCallWhileSuspended(endpoint, sent));
      assertNotLinked(muse, whileLinked);
    },
  };
}

function assertNotLinked(muse: Muse, mayStill: boolean): void {
  if (mayStill || !isKnownMuse(muse) || muse.linkedTo === null) return;
  throw new Refusal('linked', `This identity is linked to ${muse.linkedTo} and can only read. Act as that agent.`);
}
