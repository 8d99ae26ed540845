import type { Findings } from '../findings.js';
import type { Requests } from '../requests.js';
import type { Check, ExaminedEvent } from './check.js';

/** Every event that names a request is one that such a request can come to, by whatever version of its rules. */
export class AskedFor implements Check {
  constructor(
    private readonly findings: Findings,
    /** Null where nothing is known of requests. */
    private readonly requests: Requests | null,
  ) {}

  take({ shown, opened }: ExaminedEvent): void {
    const problem = opened && this.requests?.contradiction(opened);
    if (problem) this.findings.add('signature', problem, shown);
  }
}
