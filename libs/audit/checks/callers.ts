import { assertMayAct, mayWriteWhileSuspended, needsIdentity } from '#libs/endpoints/caller-rules.js';
import { getBearerTokenHint } from '#libs/domain/access-ends.js';
import { Muse, TokenRevoked } from '#libs/domain/muse.js';
import { findTokenLimits } from '#libs/domain/token-scope.js';
import { type Event, REQUEST_CAUSE, requestFieldsOf, type Revision } from '#libs/kernel/event.js';
import { Refusal } from '#libs/kernel/refusal.js';
import type { Findings } from '#libs/audit/findings.js';
import { NotReplayable } from '#libs/endpoints/decision.js';
import type { RequestRules } from '#libs/audit/request-rules.js';
import type { AuditState } from '#libs/audit/rules/audit-state.js';
import { AuthorizationRevisions } from './authorization-revisions.js';
import type { Check, ExaminedEvent } from './check.js';

/**
 * Decides again whether the actor of each request could act, at the revision of its stream that the event names. What
 * follows from another event rests on that event: the effect of a payment on `PaymentAccepted`.
 */
export class CallerCheck implements Check {
  private readonly authorizedAt = new AuthorizationRevisions();

  constructor(
    private readonly findings: Findings,
    private readonly facts: AuditState,
    private readonly requests: RequestRules | null,
  ) {}

  examine({ shown, opened }: ExaminedEvent): void {
    if (!opened) return;
    const at = this.authorizedAt.revisionOf(shown);
    const problem = opened.cause.startsWith(REQUEST_CAUSE) ? this.findProblem(opened, at) : null;
    if (problem !== null) this.findings.add('decision', problem, shown);
  }

  private findProblem({ actor, at, authorization, type }: Event, revision: Revision | undefined): string | null {
    if (!('endpoint' in authorization)) return null;
    const { endpoint } = authorization;
    const rules = this.requests?.callersOf(endpoint);
    if (!rules || !needsIdentity(rules)) return null;
    const stream = Muse.streamName(actor);
    if (revision === undefined)
      return `It does not name the revision of ${stream}, which says whether ${actor} may act.`;
    try {
      const muse = this.facts.history.stateAt(stream, revision, Muse);
      const sent = requestFieldsOf(authorization) ?? null;
      const mayWhileSuspended = mayWriteWhileSuspended(endpoint, sent, type);
      assertMayAct(rules, muse, { actor, authorization, at, sent }, mayWhileSuspended);
      const limits = findTokenLimits(muse, getBearerTokenHint(authorization));
      const canWrite = limits?.scope !== 'read' || type === TokenRevoked.type;
      return canWrite ? null : 'Its token had the scope `read`, which only ends itself.';
    } catch (error) {
      if (error instanceof Refusal)
        return `${actor} could not act at revision ${revision} of ${stream}: ${error.message}`;
      if (error instanceof NotReplayable) return null;
      throw error;
    }
  }
}
