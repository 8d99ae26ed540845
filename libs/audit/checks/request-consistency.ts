import type { Findings } from '../findings.js';
import type { RequestRules } from '../request-rules.js';
import type { Check, ExaminedEvent } from './check.js';

/** Every event that names a request is one that such a request can come to, by whatever version of its rules. */
export class RequestConsistencyCheck implements Check {
  constructor(
    private readonly findings: Findings,
    /** Null where nothing is known of requests. */
    private readonly requests: RequestRules | null,
  ) {}

  examine({ shown, opened }: ExaminedEvent): void {
    const problem = opened && this.requests?.findContradiction(opened);
    if (problem) this.findings.add('signature', problem, shown);
  }
}
