import type { Findings } from '../findings.js';
import type { RequestRules } from '../request-rules.js';
import type { Check, ExaminedEvent } from './check.js';

export class RequestConsistencyCheck implements Check {
  constructor(
    private readonly findings: Findings,
    private readonly requests: RequestRules | null,
  ) {}

  examine({ shown, opened }: ExaminedEvent): void {
    const problem = opened && this.requests?.findContradiction(opened);
    if (problem) this.findings.add('signature', problem, shown);
  }
}
