import { isEventOf } from '#libs/domain/define.js';
import { ESCROW_DECIDED } from '#libs/domain/escrow.js';
import { PaymentApplied } from '#libs/domain/payment.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import type { Event } from '#libs/kernel/event.js';
import { UNDELIVERABLE_SECONDS } from '#libs/payments/escrow-machine.js';
import { ACTIVE_DAYS, USED_HOURS } from '#libs/audit/chain-use.js';
import type { Findings } from '#libs/audit/findings.js';
import type { AuditState } from '#libs/audit/rules/audit-state.js';
import { decisionOf } from '#libs/audit/rules/escrow.js';
import type { Check, ExaminedEvent } from './check.js';

interface DecidedEscrow {
  readonly decided: ExaminedEvent['shown'];
  /** Unix ms: later the contract has no reason to refuse that the log does not show. */
  readonly since: number;
}

/** Finds decided escrows of which the service keeps the money. */
export class UnsentEscrowCheck implements Check {
  /** By payment. */
  private readonly unsent = new Map<string, DecidedEscrow>();
  private counted = 0;

  constructor(
    private readonly findings: Findings,
    private readonly facts: AuditState,
  ) {}

  /** Runs after the event has changed the state. */
  examine({ shown, opened }: ExaminedEvent): void {
    if (!opened) return;
    const { payment } = opened.data as { readonly payment?: string };
    if (payment !== undefined && decidesEscrow(opened)) this.add(payment, shown);
    if (this.counted === this.facts.chainUse.counted) return;
    this.counted = this.facts.chainUse.counted;
    for (const [key, escrow] of this.unsent) this.examineUnsent(key, escrow);
  }

  /** A contract may refuse a release until the last days before the deadline, and the log does not show that. */
  private add(payment: string, decided: ExaminedEvent['shown']): void {
    const state = this.facts.payment(payment);
    if (this.unsent.has(payment) || state.status === 'unknown' || !state.accepted.data.escrow) return;
    const decision = decisionOf(payment, this.facts);
    const lastRelease = (state.accepted.data.escrow.capture_deadline - UNDELIVERABLE_SECONDS) * SECOND_MS;
    if (decision === null) return;
    const since = decision.to === 'worker' ? Math.max(decided.at, lastRelease) : decided.at;
    this.unsent.set(payment, { decided, since });
  }

  private examineUnsent(payment: string, { decided, since }: DecidedEscrow): void {
    const { status, isStuck } = this.facts.escrow(payment);
    const isGone = status !== 'open' || this.facts.payment(payment).status === 'lost';
    const wait = isGone || isStuck ? null : this.findWait(payment, since);
    if (isGone || wait !== null) this.unsent.delete(payment);
    if (wait !== null) this.findings.add('missing', `It was not followed by the end of its escrow ${wait}.`, decided);
  }

  private findWait(payment: string, since: number): string | null {
    const { chainUse } = this.facts;
    if (chainUse.isUsedLongAfter(payment, since)) return `in ${USED_HOURS} hours in which the service used the chain`;
    return chainUse.isActiveLongAfter(since) ? `on ${ACTIVE_DAYS} days on which the service wrote events` : null;
  }
}

const decidesEscrow = (event: Event) =>
  event.type === ESCROW_DECIDED || (isEventOf(PaymentApplied, event) && event.data.outcome === 'void');
