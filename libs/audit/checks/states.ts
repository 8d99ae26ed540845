import type { Findings } from '../findings.js';
import { CLAIM_RULES } from '../rules/claim.js';
import type { Facts } from '../rules/facts.js';
import { HIRE_RULES } from '../rules/hire.js';
import { INBOX_RULES } from '../rules/inbox.js';
import { INSTANT_RULES } from '../rules/instant.js';
import { JOB_RULES } from '../rules/job.js';
import { MUSE_RULES } from '../rules/muse.js';
import { PAYMENT_RULES } from '../rules/payment.js';
import type { Rule } from '../rules/rule.js';
import { SERVICE_RULES } from '../rules/service.js';
import { VIEWS_RULES } from '../rules/views.js';
import { WEBHOOK_RULES } from '../rules/webhook.js';
import type { Check, ExaminedEvent } from './check.js';

const RULES: ReadonlyMap<string, Rule> = new Map([
  ...MUSE_RULES,
  ...JOB_RULES,
  ...HIRE_RULES,
  ...PAYMENT_RULES,
  ...CLAIM_RULES,
  ...SERVICE_RULES,
  ...INBOX_RULES,
  ...WEBHOOK_RULES,
  ...VIEWS_RULES,
  ...INSTANT_RULES,
]);

/** The types of events that have a rule. */
export const RULED_TYPES: ReadonlySet<string> = new Set(RULES.keys());

/** Every event is possible after those before it. */
export class States implements Check {
  constructor(
    private readonly findings: Findings,
    private readonly facts: Facts,
  ) {}

  take({ shown, opened }: ExaminedEvent): void {
    if (!opened) return;
    for (const problem of RULES.get(opened.type)?.(opened as never, this.facts) ?? [])
      this.findings.add('state', problem, shown);
    this.facts.take(opened);
  }
}
