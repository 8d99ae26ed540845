import type { PaidCommandTable } from '#libs/endpoints/purchase-decision.js';
import { replayPurchase } from '#libs/endpoints/purchase-decision.js';
import { AuditMismatch, NotReplayable } from '#libs/endpoints/decision.js';
import type { Event } from '#libs/kernel/event.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { replayedDecision } from '#libs/audit/decisions/replayed-decision.js';
import type { Findings } from '#libs/audit/findings.js';
import type { AuditState } from '#libs/audit/rules/audit-state.js';
import { describeUnread } from './decisions.js';
import type { Check, ExaminedEvent } from './check.js';

/** Decides again whether a payment could be accepted, on the streams that `PaymentAccepted` names. */
export class PurchaseCheck implements Check {
  constructor(
    private readonly findings: Findings,
    private readonly facts: AuditState,
    private readonly commands: PaidCommandTable,
  ) {}

  examine({ shown, opened }: ExaminedEvent): void | Promise<void> {
    if (opened?.type !== 'PaymentAccepted') return;
    return this.checkPurchase(shown, opened);
  }

  private async checkPurchase(shown: ExaminedEvent['shown'], opened: Event): Promise<void> {
    const { endpoint } = opened.data as { readonly endpoint: string };
    const command = this.commands.get(endpoint);
    if (!command) return;
    const unread = new Set<string>();
    try {
      await replayPurchase(
        command,
        replayedDecision(opened, this.facts.history, stream => unread.add(stream)),
      );
    } catch (error) {
      if (error instanceof Refusal || error instanceof AuditMismatch)
        this.findings.add('decision', `The replayed purchase at ${endpoint} is refused: ${error.message}`, shown);
      else if (!(error instanceof NotReplayable)) throw error;
    }
    for (const stream of unread) this.findings.add('unread', describeUnread(stream), shown);
  }
}
