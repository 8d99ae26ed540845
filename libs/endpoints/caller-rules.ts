import { assertCredentialsValid, getBearerTokenHint } from '#libs/domain/access-ends.js';
import {
  assertNotSuspended,
  canCallWhileSuspended,
  canWriteWhileSuspended,
  isOpenWhileSuspended,
} from '#libs/domain/suspension.js';
import { assertInScope, type EndpointScope, findTokenLimits, spendingLimitOf } from '#libs/domain/token-scope.js';
import type { EndpointAccess } from '#libs/http/routes.js';
import type { Authorization, RequestFields } from '#libs/kernel/event.js';
import { isSiblingId } from '#libs/kernel/ids.js';
import { rule, Refusal } from '#libs/kernel/refusal.js';
import { isKnownMuse, type Muse } from '#libs/domain/muse.js';
import type { MusePrincipal } from './muse-principals.js';

export type CallerKind = 'joined' | 'known' | 'newKey' | 'recoveryKey' | 'anyone';

export interface CallerRules {
  readonly who: CallerKind;
  /** Whether a sibling identity may call it before it has joined. False by default. */
  readonly beforeJoining?: boolean;
  readonly whileLinked?: boolean;
  readonly scope: EndpointScope;
}

export type EndpointCallers = CallerRules & { readonly endpoint: string };

export const pickCallerRules = (rules: EndpointCallers): EndpointCallers => {
  const { endpoint, who, scope, beforeJoining, whileLinked } = rules;
  return {
    endpoint,
    who,
    scope,
    ...(beforeJoining !== undefined && { beforeJoining }),
    ...(whileLinked !== undefined && { whileLinked }),
  };
};

/** Whether a known agent calls it; other requests create their agent, or have none. */
export const needsIdentity = ({ who }: CallerRules): boolean =>
  who === 'joined' || who === 'known' || who === 'recoveryKey';

const requiresJoining = ({ who, beforeJoining }: CallerRules, museId: string): boolean =>
  who === 'joined' || (isSiblingId(museId) && !beforeJoining);

export function buildEndpointAccess(rules: EndpointCallers): EndpointAccess {
  const { who, endpoint, scope, whileLinked = false, beforeJoining } = rules;
  const canRequireJoining = who === 'joined' || (who === 'known' && !beforeJoining);
  return {
    codes: [
      ...(canRequireJoining ? (['join_first'] as const) : []),
      ...(who === 'anyone' || isOpenWhileSuspended(endpoint) ? [] : (['suspended'] as const)),
      ...(who === 'anyone' || whileLinked ? [] : (['linked'] as const)),
      ...(needsIdentity(rules) && scope !== 'read' ? (['scope'] as const) : []),
    ],
    check: ({ id, muse }: MusePrincipal, sent, tokenHint) => {
      assertMayCall(rules, muse, id, canCallWhileSuspended(endpoint, sent));
      const limits = findTokenLimits(muse, tokenHint);
      assertInScope({ muse_id: id, endpoint, scope, sent }, limits);
      return spendingLimitOf(limits);
    },
  };
}

interface Caller {
  readonly actor: string;
  readonly authorization: Authorization;
  /** Unix ms. */
  readonly at: number;
  /** Fields of the request; null if they are hidden. */
  readonly sent: RequestFields | null;
}

/**
 * Decides whether an agent may act, from its state at the decision: a request at the same moment may have ended its
 * access. Auditors decide the same. Throws a `Refusal`.
 */
export function assertMayAct(
  rules: EndpointCallers,
  muse: Muse,
  { actor, authorization, at, sent }: Caller,
  mayWhileSuspended: boolean,
): void {
  rule(isKnownMuse(muse), 'unknown_muse', 'No identity has this `muse_id`.');
  rule(muse.status !== 'forgotten', 'forgotten', 'The identity was erased by its owner.');
  assertCredentialsValid(muse, authorization, at);
  assertMayCall(rules, muse, actor, mayWhileSuspended);
  assertInScope({ ...rules, muse_id: actor, sent }, findTokenLimits(muse, getBearerTokenHint(authorization)));
}

function assertMayCall(rules: EndpointCallers, muse: Muse, museId: string, mayWhileSuspended: boolean): void {
  const mayCall = !requiresJoining(rules, museId) || muse.status === 'joined';
  rule(mayCall, 'join_first', 'You must join first: POST /api/join.');
  assertNotSuspended(muse, mayWhileSuspended);
  assertNotLinked(muse, rules.whileLinked ?? false);
}

/** Judges by the fields of the request, or by the event where they are hidden. */
export const mayWriteWhileSuspended = (endpoint: string, sent: RequestFields | null, eventType: string): boolean =>
  sent ? canCallWhileSuspended(endpoint, sent) : canWriteWhileSuspended(endpoint, eventType);

function assertNotLinked(muse: Muse, mayStill: boolean): void {
  if (mayStill || !isKnownMuse(muse) || muse.linkedTo === null) return;
  throw new Refusal('linked', `This identity is linked to ${muse.linkedTo} and can only read. Act as that agent.`);
}
