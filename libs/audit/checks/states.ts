import type { Event } from '#libs/kernel/event.js';
import type { Findings } from '#libs/audit/findings.js';
import { SPENDING_RULES } from '#libs/audit/rules/spending.js';
import { CLAIM_RULES } from '#libs/audit/rules/claim.js';
import { ESCROW_RULES } from '#libs/audit/rules/escrow.js';
import { EVIDENCE_RULES } from '#libs/audit/rules/evidence.js';
import type { AuditState } from '#libs/audit/rules/audit-state.js';
import { checkPaidEffect } from '#libs/audit/rules/paid-effect.js';
import { PAYMENT_RULES } from '#libs/audit/rules/payment.js';
import type { Rule } from '#libs/audit/rules/rule.js';
import { SERVICE_RULES } from '#libs/audit/rules/service.js';
import type { Check, ExaminedEvent } from './check.js';

export const RULES: ReadonlyMap<string, Rule> = new Map([
  ...PAYMENT_RULES,
  ...ESCROW_RULES,
  ...CLAIM_RULES,
  ...SPENDING_RULES,
  ...SERVICE_RULES,
  ...EVIDENCE_RULES,
]);

export const stateProblems = (event: Event, facts: AuditState): readonly string[] => [
  ...checkPaidEffect(event, facts),
  ...(RULES.get(event.type)?.(event as never, facts) ?? []),
];

export class StateCheck implements Check {
  constructor(
    private readonly findings: Findings,
    private readonly facts: AuditState,
  ) {}

  examine({ shown, opened }: ExaminedEvent): void {
    if (!opened) return;
    for (const problem of stateProblems(opened, this.facts)) this.findings.add('state', problem, shown);
    this.facts.applyEvent(opened);
  }
}
