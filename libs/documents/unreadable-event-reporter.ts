import { UnreadableEvent, UpgradeNeeded } from '#libs/event-log/unreadable-event.js';
import type { Event, StoredEvent } from '#libs/kernel/event.js';

/**
 * Logs the first unreadable event of each type only: with a wrong key every event is unreadable. The auditor lists all.
 */
export class UnreadableEventReporter {
  private readonly reported = new Set<string>();

  constructor(private readonly log: { error(details: object, message: string): void }) {}

  report({ events, stored }: { readonly events: readonly Event[]; readonly stored: readonly StoredEvent[] }): void {
    for (const event of events)
      if (event.unreadable)
        this.reportOnce(`${event.type} ${event.unreadable.join()}`, new UnreadableEvent(event, event.unreadable));
    if (events.length === stored.length) return;
    const decoded = new Set(events.map(({ position }) => position));
    for (const event of stored)
      if (!decoded.has(event.position)) this.reportOnce(`${event.type} ${event.version}`, new UpgradeNeeded(event));
  }

  private reportOnce(kind: string, { event: { id, position }, message }: UnreadableEvent | UpgradeNeeded): void {
    if (this.reported.has(kind)) return;
    this.reported.add(kind);
    this.log.error({ event: id, position }, message);
  }
}
