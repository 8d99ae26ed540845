import { addToList } from '#libs/kernel/list-map.js';
import { isSameOrigin } from '#libs/http/service-address.js';
import { requestFieldsOf } from '#libs/kernel/event.js';
import type { Findings } from '#libs/audit/findings.js';
import type { PublicEvent } from '#libs/audit/public-event.js';
import type { AuditState } from '#libs/audit/rules/audit-state.js';
import type { Check, ExaminedEvent } from './check.js';

/** Requests that were signed for another service: the log names each address of its own, before or after them. */
export class OriginCheck implements Check {
  private readonly signed = new Map<string, PublicEvent[]>();

  constructor(
    private readonly findings: Findings,
    private readonly facts: Pick<AuditState, 'service'>,
  ) {}

  examine({ shown, opened }: ExaminedEvent): void {
    if (opened?.authorization.mode !== 'signature') return;
    const origin = requestFieldsOf(opened.authorization)?.['origin'];
    if (origin === undefined) return;
    addToList(this.signed, origin, shown);
  }

  finish(): void {
    const { origins } = this.facts.service();
    for (const [origin, events] of this.signed) {
      if (origins.some(known => isSameOrigin(known, origin))) continue;
      for (const event of events)
        this.findings.add(
          'origin',
          `Its request was signed for ${origin}, which is no address of this service.`,
          event,
        );
    }
  }
}
