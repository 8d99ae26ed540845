import type { StoredEvent } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { PublicEvents } from '#libs/views/public-events/public-events.js';

/**
 * What many readers are shown at one moment is opened once for all of them. It is kept until the turn of the event
 * loop is over: what may be shown can be another the next time.
 */
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
    const all = this.publicEvents.of(events);
    events.forEach((event, at) =>
      this.cache.set(
        event,
        all.then(shown => shown[at]!),
      ),
    );
  }
}
