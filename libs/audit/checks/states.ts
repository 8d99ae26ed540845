import type { Event } from '#libs/kernel/event.js';
import type { Findings } from '../findings.js';
import { CLAIM_RULES } from '../rules/claim.js';
import { EVIDENCE_RULES } from '../rules/evidence.js';
import type { AuditState } from '../rules/audit-state.js';
import { checkPaidEffect } from '../rules/paid-effect.js';
import { PAYMENT_RULES } from '../rules/payment.js';
import type { Rule } from '../rules/rule.js';
import { SERVICE_RULES } from '../rules/service.js';
import type { Check, ExaminedEvent } from './check.js';

export const RULES: ReadonlyMap<string, Rule> = new Map([
  ...PAYMENT_RULES,
  ...CLAIM_RULES,
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
