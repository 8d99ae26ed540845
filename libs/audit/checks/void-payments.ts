import { isOfImport } from '#libs/kernel/event.js';
import { isEventOf, type EventOf } from '#libs/domain/define.js';
import { PaymentAccepted, PaymentApplied } from '#libs/domain/payment.js';
import { ifReplayable } from '#libs/endpoints/decision.js';
import { ERASED_REASON } from '#libs/endpoints/paid-action.js';
import { replayedDecision } from '#libs/audit/decisions/replayed-decision.js';
import type { Findings } from '#libs/audit/findings.js';
import type { AuditState } from '#libs/audit/rules/audit-state.js';
import type { Check, ExaminedEvent } from './check.js';

type VoidPayment = EventOf<typeof PaymentApplied>;

/** A settled payment is void only if its effect writes nothing on the streams that `PaymentApplied` names. */
export class VoidPaymentCheck implements Check {
  /** Payments that were accepted since the last import, and have not ended. */
  private acceptedHere = new Set<string>();

  constructor(
    private readonly findings: Findings,
    private readonly facts: AuditState,
  ) {}

  examine({ shown, opened }: ExaminedEvent): void {
    if (!opened) return;
    if (isOfImport(opened)) this.acceptedHere = new Set();
    if (isEventOf(PaymentAccepted, opened)) this.acceptedHere.add(opened.data.payment);
    if (!isEventOf(PaymentApplied, opened)) return;
    const problem = opened.data.outcome === 'void' ? this.findProblem(opened) : null;
    if (problem) this.findings.add('void', problem, shown);
    this.acceptedHere.delete(opened.data.payment);
  }

  private findProblem(event: VoidPayment): string | null {
    const { endpoint, reason, muse_id: payer, payment } = event.data;
    const reasons = this.facts.sales.get(endpoint)?.voidReasons;
    if (reasons && !reasons.includes(String(reason))) return `A payment for ${endpoint} is never void as ${reason}.`;
    const isErased = !this.acceptedHere.has(payment) || this.facts.muse(payer).status === 'forgotten';
    if (reason === ERASED_REASON) return isErased ? null : `It is void as ${reason}, but ${payer} was not erased.`;
    return this.decideAgain(event);
  }

  private decideAgain(event: VoidPayment): string | null {
    const { payment, endpoint, reason } = event.data;
    const state = this.facts.payment(payment);
    const terms = this.facts.sales.get(endpoint);
    if (state.status !== 'settled' || !terms) return null;
    return ifReplayable(null, () => {
      const effects = terms.decideAgain(state, replayedDecision(event, this.facts.history));
      const unnamed = effects[0]!.sources.find(({ stream }) => !this.isNamed(event, stream));
      if (unnamed) return `It is void, but does not name the stream ${unnamed.stream} that its effect read.`;
      const still = effects.filter(({ facts }) => facts.length === 0);
      if (still.length === 0) return 'It is void, but its effect was possible on the streams that it names.';
      if (still.some(effect => effect.reason === reason)) return null;
      return `It is void as ${reason}, but on the streams that it names as ${still[0]!.reason}.`;
    });
  }

  /** A stream without events has no revision to name. */
  private isNamed({ based_on: basedOn }: VoidPayment, stream: string): boolean {
    return basedOn[stream] !== undefined || this.facts.history.latestRevision(stream) === -1;
  }
}
