import { UnreadableEvent, UpgradeNeeded } from '#libs/event-log/unreadable.js';
import type { Event, StoredEvent } from '#libs/kernel/event.js';

/** How much is remembered as told; behind that it is told again. */
const TOLD_MAX = 10_000;

export interface FaultLog {
  error(details: object, message: string): void;
}

/** Tells the log of what cannot be read in the event log: once of each type and version, and of each event. */
export class FaultReport {
  private readonly told = new Set<string>();

  constructor(private readonly log: FaultLog) {}

  take({ events, stored }: { readonly events: readonly Event[]; readonly stored: readonly StoredEvent[] }): void {
    for (const event of events) if (event.unreadable) this.tell(event.id, new UnreadableEvent(event, event.unreadable));
    if (events.length === stored.length) return;
    const known = new Set(events.map(({ position }) => position));
    for (const event of stored)
      if (!known.has(event.position)) this.tell(`${event.type} ${event.version}`, new UpgradeNeeded(event));
  }

  private tell(what: string, { event: { id, position }, message }: UnreadableEvent | UpgradeNeeded): void {
    if (this.told.has(what)) return;
    if (this.told.size >= TOLD_MAX) this.told.clear();
    this.told.add(what);
    this.log.error({ event: id, position }, message);
  }
}
