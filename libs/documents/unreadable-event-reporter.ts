import { UnreadableEvent, UpgradeNeeded } from '#libs/event-log/unreadable-event.js';
import type { Event, StoredEvent } from '#libs/kernel/event.js';

export interface ErrorLog {
  error(details: object, message: string): void;
}

/**
 * Tells the log of what cannot be read in the event log: of each type the first event alone, for where a key is another
 * one there are as many as the log has. An auditor names all of them.
 */
export class UnreadableEventReporter {
  private readonly told = new Set<string>();

  constructor(private readonly log: ErrorLog) {}

  report({ events, stored }: { readonly events: readonly Event[]; readonly stored: readonly StoredEvent[] }): void {
    for (const event of events)
      if (event.unreadable)
        this.tell(`${event.type} ${event.unreadable.join()}`, new UnreadableEvent(event, event.unreadable));
    if (events.length === stored.length) return;
    const known = new Set(events.map(({ position }) => position));
    for (const event of stored)
      if (!known.has(event.position)) this.tell(`${event.type} ${event.version}`, new UpgradeNeeded(event));
  }

  private tell(what: string, { event: { id, position }, message }: UnreadableEvent | UpgradeNeeded): void {
    if (this.told.has(what)) return;
    this.told.add(what);
    this.log.error({ event: id, position }, message);
  }
}
