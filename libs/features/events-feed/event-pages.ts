import { Injectable } from '@nestjs/common';
import { setImmediate as turn } from 'node:timers/promises';
import { EventLog } from '#libs/event-log/port.js';
import type { Position, StoredEvent } from '#libs/kernel/event.js';
import { type EventFilter, passes } from './event-filter.js';
import { EventsOfMuse } from './events-of-muse.js';
import { eventsOfStream } from './events-of-stream.js';

/** How many events of the log one page looks at, at most. */
export const LOOKED_AT_MAX = 20_000;
/** How many events are read at once. */
export const CHUNK = 500;

/** Events of the log as they are stored. */
export interface StoredPage {
  readonly events: StoredEvent[];
  /** The position to go on behind, also where a filter let nothing through. */
  readonly next: Position;
}

/**
 * Pages of the log behind a position. What has happened in one stream is read from that stream, what has to do with
 * one muse through an index; everything else from the log itself.
 */
@Injectable()
export class EventPages {
  constructor(
    private readonly log: EventLog,
    private readonly ofMuse: EventsOfMuse,
  ) {}

  async behind(after: Position, limit: number, filter: EventFilter): Promise<StoredPage> {
    if (filter.stream !== undefined) return eventsOfStream(this.log, filter.stream, { after, limit, filter });
    if (filter.museId === undefined) return this.scan(after, limit, filter);
    const indexed = await this.ofMuse.behind(after, limit, filter.museId, filter);
    if (!indexed.isAll) return indexed;
    // What the index does not contain yet is looked at one by one: nothing is skipped because it is behind.
    const rest = await this.scan(indexed.next, limit - indexed.events.length, filter);
    return { events: [...indexed.events, ...rest.events], next: rest.next };
  }

  private async scan(after: Position, limit: number, filter: EventFilter): Promise<StoredPage> {
    const events: StoredEvent[] = [];
    const isFiltered = filter.museId !== undefined;
    const size = isFiltered ? CHUNK : Math.min(CHUNK, limit);
    let next = after;
    for (let lookedAt = 0; lookedAt < LOOKED_AT_MAX && events.length < limit; lookedAt += size) {
      if (lookedAt > 0) await turn();
      const chunk = await this.log.readAll(next, size, filter.types);
      for (const event of chunk.events) {
        if (events.length === limit) return { events, next };
        next = event.position;
        if (passes(event, filter)) events.push(event);
      }
      if (events.length < limit) next = chunk.next;
      if (chunk.events.length < size) break;
    }
    return { events, next };
  }
}
