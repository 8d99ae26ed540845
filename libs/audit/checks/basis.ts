import { Muse } from '#libs/domain/muse.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import type { Event, Revision } from '#libs/kernel/event.js';
import type { Findings } from '../findings.js';
import { StateTooOldError } from '../history.js';
import type { AuditState } from '../rules/audit-state.js';
import { AuthorizationRevisions } from './authorization-revisions.js';
import type { Check, ExaminedEvent } from './check.js';

/** How far the signed time may be from that of the event: the window of requests, and a minute to carry one out. */
const SIGNED_WINDOW_MS = 5 * MINUTE_MS + MINUTE_MS;

/** What an event names as its basis existed when it was decided: the revisions, the signed time, the token. */
export class BasisCheck implements Check {
  /** The stream of a private event is not shown, so an unknown stream may be that of a private one. */
  private isWhole = true;
  private readonly authorizedAt = new AuthorizationRevisions();

  constructor(
    private readonly findings: Findings,
    private readonly facts: AuditState,
  ) {}

  examine({ shown, opened }: ExaminedEvent): void {
    if (!opened) return void (this.isWhole = false);
    this.checkRevisions(shown);
    const { authorization } = opened;
    if (authorization.mode === 'signature') this.checkSignedTime(authorization.timestamp, shown);
    const at = this.authorizedAt.revisionOf(shown);
    if (authorization.mode === 'bearer') this.checkToken(authorization.token, opened, at);
  }

  private checkRevisions(shown: ExaminedEvent['shown']): void {
    for (const [stream, revision] of Object.entries(shown.based_on)) {
      const known = this.facts.history.latestRevision(stream);
      if (revision <= known || (known === -1 && !this.isWhole)) continue;
      const there = known === -1 ? 'which was not there yet' : `which had reached ${known} only`;
      this.findings.add('decision', `It is based on revision ${revision} of ${stream}, ${there}.`, shown);
    }
  }

  private checkSignedTime(timestamp: string, shown: ExaminedEvent['shown']): void {
    if (Math.abs(Number(timestamp) - shown.at) <= SIGNED_WINDOW_MS) return;
    this.findings.add('signature', `It was signed at ${timestamp}, which is not within minutes of its time.`, shown);
  }

  /** A token that the muse's own stream has issued, and that had not ended. */
  private checkToken(hint: string, event: Event, revision: Revision = Infinity): void {
    const { actor, at } = event;
    try {
      const muse = this.facts.history.stateAt(Muse.streamName(actor), revision, Muse);
      const tokens = muse.status === 'unknown' ? [] : [...muse.tokens];
      if (tokens.some(([hash, until]) => hash.startsWith(hint) && at < until)) return;
      this.findings.add('signature', `It rests on the token ${hint}, which ${actor} did not have then.`, event);
    } catch (error) {
      if (!(error instanceof StateTooOldError)) throw error;
    }
  }
}
