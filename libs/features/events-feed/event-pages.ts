import { Injectable } from '@nestjs/common';
import { estimateLength } from '#libs/event-log/newest-events.js';
import { EventLog } from '#libs/event-log/event-log.port.js';
import { waitForNextSlice } from '#libs/http/cooperative-scheduler.js';
import { LOG_START, type Position, type StoredEvent } from '#libs/kernel/event.js';
import { type EventFilter, matchesFilter } from './event-filter.js';
import { EventsOfMuse } from './events-of-muse.js';
import { readStreamPage } from './events-of-stream.js';

export const SCANNED_MAX = 20_000;
/** Bounds the time that one read blocks the event loop, and the memory of a stream's reader. */
export const CHUNK = 100;
/** Small pages need no size check, whatever their events hold. */
const UNMEASURED_MAX = 25;
/** Signed requests may hold 64 KiB each, so a page ends early at this size. */
const PAGE_CHARACTERS_MAX = 4_000_000;

/** A rare filter needs several pages to get back through a long log. */
const BACKWARDS_MAX = 2_000;

export interface NewestPage {
  readonly events: readonly StoredEvent[];
  /** Position of the next older page. */
  readonly next: Position | null;
}

export interface StoredPage {
  readonly events: StoredEvent[];
  /** Position to resume after, even if the filter matched nothing. */
  readonly next: Position;
}

@Injectable()
export class EventPages {
  constructor(
    private readonly log: EventLog,
    private readonly ofMuse: EventsOfMuse,
  ) {}

  async readAfter(after: Position, limit: number, filter: EventFilter): Promise<StoredPage> {
    const page = new GrowingPage(limit);
    if (filter.stream !== undefined) return readStreamPage(this.log, filter.stream, { after, page, filter });
    if (filter.museId === undefined) return this.scan(after, page, filter);
    for (let at = after; ;) {
      const requested = Math.min(CHUNK, page.left);
      const { events, next, isAll } = await this.ofMuse.readAfter(at, requested, filter.museId, filter);
      page.add(events);
      // Scans the events after the index, so that none is missing while the index catches up.
      if (isAll && !page.isFull) return this.scan(next, page, filter);
      if (page.isFull || events.length < requested) return { events: page.events, next };
      at = next;
      await waitForNextSlice();
    }
  }

  /** The newest events up to a position, newest first. `next` is null at the start of the log. */
  async readBefore(end: Position, limit: number, filter: EventFilter): Promise<NewestPage> {
    const found: StoredEvent[] = [];
    let at = end;
    for (let scanned = 0; at > LOG_START && found.length <= limit && scanned < BACKWARDS_MAX; scanned += CHUNK) {
      if (scanned > 0) await waitForNextSlice();
      const start = await this.log.stepBack(at, CHUNK);
      const { events } = await this.log.readAll(start, CHUNK);
      const upTo = at;
      found.unshift(...events.filter(event => event.position <= upTo && matchesFilter(event, filter)));
      at = start;
    }
    const rest = found.at(-limit - 1)?.position ?? (at > LOG_START ? at : null);
    return { events: found.slice(-limit).reverse(), next: rest };
  }

  private async scan(after: Position, page: GrowingPage, filter: EventFilter): Promise<StoredPage> {
    const { events } = page;
    const isFiltered = filter.museId !== undefined;
    let next = after;
    for (let scanned = 0; scanned < SCANNED_MAX && !page.isFull;) {
      if (scanned > 0) await waitForNextSlice();
      const size = isFiltered ? CHUNK : Math.min(CHUNK, page.left);
      const chunk = await this.log.readAll(next, size, filter.types);
      for (const event of chunk.events) {
        if (page.isFull) return { events, next };
        next = event.position;
        if (matchesFilter(event, filter)) page.add([event]);
      }
      if (!page.isFull) next = chunk.next;
      if (chunk.events.length < size) break;
      scanned += size;
    }
    return { events, next };
  }
}

export class GrowingPage {
  readonly events: StoredEvent[] = [];
  private characters = 0;

  constructor(private readonly limit: number) {}

  get left(): number {
    return this.limit - this.events.length;
  }

  get isFull(): boolean {
    return this.left <= 0 || this.characters >= PAGE_CHARACTERS_MAX;
  }

  add(events: readonly StoredEvent[]): void {
    this.events.push(...events);
    if (this.limit <= UNMEASURED_MAX) return;
    for (const { data, authorization } of events)
      this.characters += estimateLength(data) + estimateLength(authorization);
  }
}
