import { MINUTE_MS } from '#libs/kernel/clock.js';
import type { Findings } from '#libs/audit/findings.js';
import type { AuditState } from '#libs/audit/rules/audit-state.js';
import type { Check, ExaminedEvent } from './check.js';

/** Window for signed requests, plus a minute to execute the request. */
const SIGNED_WINDOW_MS = 5 * MINUTE_MS + MINUTE_MS;

export class BasisCheck implements Check {
  /** The stream of a private event is not shown, so an unknown stream may belong to a private event. */
  private hasAllStreams = true;

  constructor(
    private readonly findings: Findings,
    private readonly facts: AuditState,
  ) {}

  examine({ shown, opened }: ExaminedEvent): void {
    if (!opened) return void (this.hasAllStreams = false);
    this.checkRevisions(shown);
    const { authorization } = opened;
    if (authorization.mode === 'signature') this.checkSignedTime(authorization.timestamp, shown);
  }

  private checkRevisions(shown: ExaminedEvent['shown']): void {
    for (const [stream, revision] of Object.entries(shown.based_on)) {
      const latest = this.facts.history.latestRevision(stream);
      if (revision <= latest || (latest === -1 && !this.hasAllStreams)) continue;
      const problem = latest === -1 ? 'which did not exist yet' : `but that stream ended at revision ${latest}`;
      this.findings.add('decision', `It is based on revision ${revision} of ${stream}, ${problem}.`, shown);
    }
  }

  private checkSignedTime(timestamp: string, shown: ExaminedEvent['shown']): void {
    if (Math.abs(Number(timestamp) - shown.at) <= SIGNED_WINDOW_MS) return;
    this.findings.add('signature', `It was signed at ${timestamp}, more than 6 minutes from its own time.`, shown);
  }
}
