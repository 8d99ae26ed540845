import type { AuditableDecision, DecisionTable } from '#libs/endpoints/decision.js';
import { Payment, PaymentAccepted } from '#libs/domain/payment.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import type { Event } from '#libs/kernel/event.js';
import { deriveEventId, formatDecisionKey } from '#libs/kernel/ids.js';
import { hasCauseForm } from '#libs/audit/causes.js';
import type { Findings } from '#libs/audit/findings.js';
import type { Check, ExaminedEvent } from './check.js';

/** Events that one key wrote into a stream without others in between, by type. */
interface Run {
  readonly key: string;
  readonly counts: Map<string, number>;
}

/** Derives the id of each event from its public members again, and compares its cause with those that its decision may have. */
export class DerivationCheck implements Check {
  private readonly runs = new Map<string, Run>();
  /** Streams of payments by the id of their acceptance. */
  private readonly payments = new Map<string, string>();
  /** Types by event id. */
  private readonly types = new Map<string, string>();

  constructor(
    private readonly findings: Findings,
    private readonly table: DecisionTable | null,
  ) {}

  examine({ shown, opened }: ExaminedEvent): void {
    const decision = opened && this.table?.get(opened.decided_by);
    if (decision) {
      this.checkId(decision, opened, shown);
      this.checkCause(decision, opened, shown);
    }
    if (shown.type === PaymentAccepted.type) this.payments.set(shown.id, shown.stream);
    this.types.set(shown.id, shown.type);
  }

  private checkId(decision: AuditableDecision, opened: Event, shown: ExaminedEvent['shown']): void {
    const { id, stream, type, cause, decided_by } = opened;
    const key = decision.eventKey?.(opened) ?? formatDecisionKey(cause, decided_by);
    const ordinal = decision.countsRevisions ? opened.revision : this.countInRun(stream, key, type);
    const derived = deriveEventId(key, stream, type, ordinal);
    if (id !== derived) this.findings.add('id', `Its id is ${id}; derived from ${key} it is ${derived}.`, shown);
  }

  private countInRun(stream: string, key: string, type: string): number {
    let run = this.runs.get(stream);
    if (run?.key !== key) this.runs.set(stream, (run = { key, counts: new Map() }));
    const count = run.counts.get(type) ?? 0;
    run.counts.set(type, count + 1);
    return count;
  }

  private checkCause({ name, causes }: AuditableDecision, opened: Event, shown: ExaminedEvent['shown']): void {
    const type = this.types.get(opened.cause);
    const isAllowed = (cause: string) => (EVENT_TYPES.has(cause) ? type === cause : hasCauseForm(cause, opened));
    if (causes.some(isAllowed)) return this.checkPayment(opened, shown);
    const named = type === undefined ? `"${opened.cause}", which is no event before it` : `a ${type}`;
    this.findings.add(
      'cause',
      `Its cause is ${named}; the decision ${name} follows from ${causes.join(' or ')}.`,
      shown,
    );
  }

  /** An event that follows from a payment names it: by its stream, in its data, or as a state that it read. */
  private checkPayment({ cause, stream, based_on, data }: Event, shown: ExaminedEvent['shown']): void {
    const accepted = this.payments.get(cause);
    if (accepted === undefined || stream === accepted || based_on[accepted] !== undefined) return;
    const { payment } = data as { readonly payment?: unknown };
    if (typeof payment === 'string' && Payment.streamName(payment) === accepted) return;
    this.findings.add('cause', 'Its cause is the acceptance of a payment that it does not name.', shown);
  }
}
