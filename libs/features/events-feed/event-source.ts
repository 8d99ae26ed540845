import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { EventLog } from '#libs/event-log/port.js';
import { WakeSignal } from '#libs/event-log/wake-signal.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import type { Position, StoredEvent } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { type EventFilter, passes } from './event-filter.js';
import { PublicEvents } from './public-events.js';

/** How many events of the log one page looks at, at most. */
const LOOKED_AT_MAX = 20_000;
/** How many events are read at once. */
const CHUNK = 500;
/** How often a live tail says that it is there. */
export const HEARTBEAT_MS = 15 * SECOND_MS;

export interface EventPage {
  readonly events: JsonObject[];
  /** The position to go on behind, also where a filter let nothing through. */
  readonly next: Position;
}

/** The public events of the log, as pages, as a whole and as a live tail. */
@Injectable()
export class EventSource implements OnModuleDestroy {
  private readonly waiting = new Set<WakeSignal>();

  constructor(
    private readonly log: EventLog,
    private readonly publicEvents: PublicEvents,
  ) {}

  /** Nobody is kept waiting by a service that stops. */
  onModuleDestroy(): void {
    for (const signal of this.waiting) signal.end();
  }

  head(): Promise<Position> {
    return this.log.head();
  }

  async page(after: Position, limit: number, filter: EventFilter): Promise<EventPage> {
    const { found, next } = await this.find(after, limit, filter);
    return { events: await this.publicEvents.of(found), next };
  }

  private async find(after: Position, limit: number, filter: EventFilter) {
    const found: StoredEvent[] = [];
    let next = after;
    for (let lookedAt = 0; lookedAt < LOOKED_AT_MAX && found.length < limit; lookedAt += CHUNK) {
      const chunk = await this.log.readAll(next, CHUNK, filter.types);
      for (const event of chunk.events) {
        if (found.length === limit) return { found, next };
        next = event.position;
        if (passes(event, filter)) found.push(event);
      }
      if (found.length < limit) next = chunk.next;
      if (chunk.events.length < CHUNK) break;
    }
    return { found, next };
  }

  /** As `page`; while it is empty it is asked for again at each append, until the time is over. */
  async pageWithin(after: Position, limit: number, filter: EventFilter, waitMs: number): Promise<EventPage> {
    const until = Date.now() + waitMs;
    return this.listening(async signal => {
      for (;;) {
        signal.arm();
        const page = await this.page(after, limit, filter);
        const leftMs = until - Date.now();
        if (page.events.length > 0 || leftMs <= 0 || signal.isEnded) return page;
        await signal.sleep(leftMs);
      }
    });
  }

  /** Every event up to a position. */
  async *upTo(head: Position, after: Position, filter: EventFilter): AsyncGenerator<JsonObject> {
    for (let at = after; at < head;) {
      const { events, next } = await this.page(at, CHUNK, filter);
      for (const event of events) if ((event['position'] as Position) <= head) yield event;
      if (next === at) return;
      at = next;
    }
  }

  /** Every event from a position on, for as long as somebody listens; null where there was nothing for a while. */
  async *tail(
    after: Position,
    filter: EventFilter,
    gone: (end: () => void) => void,
  ): AsyncGenerator<JsonObject | null> {
    const signal = this.open();
    gone(() => signal.end());
    try {
      for (let at = after; !signal.isEnded;) {
        signal.arm();
        const { events, next } = await this.page(at, CHUNK, filter);
        yield* events;
        const moved = next !== at;
        at = next;
        if (moved) continue;
        await signal.sleep(HEARTBEAT_MS);
        if (!signal.wasWoken) yield null;
      }
    } finally {
      this.close(signal);
    }
  }

  private async listening<T>(work: (signal: WakeSignal) => Promise<T>): Promise<T> {
    const signal = this.open();
    try {
      return await work(signal);
    } finally {
      this.close(signal);
    }
  }

  private open(): WakeSignal {
    const signal = new WakeSignal(this.log);
    this.waiting.add(signal);
    return signal;
  }

  private close(signal: WakeSignal): void {
    signal.end();
    this.waiting.delete(signal);
  }
}
