import type { StoredEvent } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { PublicEvents } from '#libs/views/public-events.js';

/** Opens an event once for all readers of one turn of the event loop. Keeps it no longer, because erasure may change it. */
export class OpenedEventCache {
  private readonly cache = new Map<StoredEvent, Promise<JsonObject>>();

  constructor(private readonly publicEvents: Pick<PublicEvents, 'of'>) {}

  getMany(events: readonly StoredEvent[]): Promise<JsonObject[]> {
    const missing = events.filter(event => !this.cache.has(event));
    if (missing.length > 0) this.open(missing);
    return Promise.all(events.map(event => this.cache.get(event)!));
  }

  private open(events: readonly StoredEvent[]): void {
    if (this.cache.size === 0) setImmediate(() => this.cache.clear());
    const opening = this.publicEvents.of(events);
    events.forEach((event, at) =>
      this.cache.set(
        event,
        opening.then(opened => opened[at]!),
      ),
    );
  }
}
