import { Injectable } from '@nestjs/common';
import { setImmediate as turn } from 'node:timers/promises';
import { EventLog } from '#libs/event-log/event-log.port.js';
import { requirePosition } from '#libs/event-log/require-position.js';
import { WakeSignal } from '#libs/event-log/wake-signal.js';
import { ShutdownSignal } from '#libs/http/long-responses.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { EVENT_BYTES, type MemoryReservation } from '#libs/http/response-memory.js';
import { waitForNextSlice } from '#libs/http/cooperative-scheduler.js';
import type { Position, StoredEvent } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { type EventFilter, matchesFilter } from './event-filter.js';
import { CHUNK, EventPages } from './event-pages.js';
import { NewestEvents } from './newest-events.js';
import type { PublicEvent } from './public-event.shape.js';
import { PublicEvents } from '#libs/features/public-events/views/public-events.js';
import type { WaitSlot } from './wait-slots.js';

const EVENTS_PER_TURN = 25;
const HEARTBEAT_INTERVAL_MS = 15 * SECOND_MS;

interface EventPage {
  readonly events: JsonObject[];
  /** Position to resume after, even if the filter matched nothing. */
  readonly next: Position;
  /** Number of events that the filter left out. */
  readonly leftOut: number;
}

interface PageWithHead extends EventPage {
  readonly head: Position;
}

@Injectable()
export class EventSource {
  private readonly waiting = new Set<WakeSignal>();
  private readonly shared: OpenedEventCache;

  constructor(
    private readonly log: EventLog,
    private readonly pages: EventPages,
    private readonly newest: NewestEvents,
    private readonly publicEvents: PublicEvents,
    private readonly stop: ShutdownSignal,
  ) {
    this.shared = new OpenedEventCache(publicEvents);
    stop.signal.addEventListener('abort', () => this.endWaits(), { once: true });
  }

  head(): Promise<Position> {
    return this.log.head();
  }

  assertReached(after: Position): Promise<void> {
    return requirePosition(this.log, after);
  }

  async page(after: Position, limit: number, filter: EventFilter): Promise<EventPage> {
    const { events, ...page } = await this.pages.readAfter(after, limit, filter);
    return { events: await this.openEvents(events), ...page };
  }

  /** The newest events up to a position, or up to the head, newest first. */
  async newestBefore(end: Position | undefined, limit: number, filter: EventFilter) {
    const head = await this.head();
    const { events, next } = await this.pages.readBefore(end ?? head, limit, filter);
    return { events: (await this.openEvents(events)) as unknown as PublicEvent[], next, head };
  }

  private async openEvents(events: readonly StoredEvent[]): Promise<JsonObject[]> {
    const opened: JsonObject[] = [];
    for (let at = 0; at < events.length; at += EVENTS_PER_TURN) {
      if (at > 0) await waitForNextSlice();
      opened.push(...(await this.publicEvents.of(events.slice(at, at + EVENTS_PER_TURN))));
    }
    return opened;
  }

  /**
   * Like `page`, but waits for new events if the page is empty at the end of the log. `hold` acquires the wait slot.
   */
  async longPoll(
    after: Position,
    limit: number,
    filter: EventFilter,
    waitMs: number,
    hold: () => WaitSlot,
  ): Promise<PageWithHead> {
    const until = Date.now() + waitMs;
    const end = waitMs > 0 ? await this.log.head() : null;
    const page = await this.page(after, limit, filter);
    if (end === null || page.events.length > 0 || page.next < end) return { ...page, head: await this.log.head() };
    const { disconnected, release } = hold();
    const signal = this.openSignal(disconnected);
    try {
      const later = await this.waitFor(page.next, limit, filter, { until, signal });
      return { ...later, leftOut: page.leftOut + later.leftOut };
    } finally {
      this.closeSignal(signal);
      release();
    }
  }

  async *upTo(head: Position, after: Position, filter: EventFilter): AsyncGenerator<Omit<EventPage, 'next'>> {
    for (let at = after; at < head;) {
      const { events, next, leftOut } = await this.page(at, CHUNK, filter);
      yield { events: events.filter(event => (event['position'] as Position) <= head), leftOut };
      if (next === at) return;
      at = next;
      await waitForNextSlice();
    }
  }

  /** Yields an empty page as heartbeat if nothing was appended. */
  async *tail(
    after: Position,
    filter: EventFilter,
    disconnected: AbortSignal,
    memory?: MemoryReservation,
  ): AsyncGenerator<readonly JsonObject[]> {
    const signal = this.openSignal(disconnected);
    try {
      let beatAt = Date.now() + HEARTBEAT_INTERVAL_MS;
      for (let at = after; !signal.isEnded;) {
        signal.arm();
        // A reader that lags gets pages of the log, as large as the memory allows.
        const isLagging = this.newest.since(at) === null;
        if (isLagging) await memory?.grow(CHUNK * EVENT_BYTES);
        const { events, next } = await this.readNew(at, CHUNK, filter);
        if (events.length > 0) {
          yield events;
          beatAt = Date.now() + HEARTBEAT_INTERVAL_MS;
        }
        memory?.free();
        if (next !== at) await (isLagging ? waitForNextSlice() : turn());
        else await signal.sleep(Math.max(0, beatAt - Date.now()));
        at = next;
        if (Date.now() < beatAt) continue;
        yield [];
        beatAt = Date.now() + HEARTBEAT_INTERVAL_MS;
      }
    } finally {
      this.closeSignal(signal);
    }
  }

  private async waitFor(
    after: Position,
    limit: number,
    filter: EventFilter,
    { until, signal }: { readonly until: number; readonly signal: WakeSignal },
  ): Promise<PageWithHead> {
    for (let at = after; ;) {
      signal.arm();
      const page = await this.readNew(at, limit, filter);
      const leftMs = until - Date.now();
      if (page.events.length > 0 || leftMs <= 0 || signal.isEnded)
        return { ...page, head: page.head ?? (await this.log.head()) };
      if (page.next !== at) await turn();
      else await signal.sleep(leftMs);
      at = page.next;
    }
  }

  private async readNew(
    at: Position,
    limit: number,
    filter: EventFilter,
  ): Promise<EventPage & { readonly head: Position | null }> {
    const news = this.newest.since(at);
    if (!news) return { ...(await this.page(at, limit, filter)), head: null };
    const matching = news.events.filter(event => matchesFilter(event, filter));
    const events = matching.slice(0, limit);
    const next = matching.length > limit ? events.at(-1)!.position : news.next;
    const leftOut = news.events.length - matching.length;
    return { events: await this.shared.getMany(events), next, leftOut, head: news.head };
  }

  private openSignal(disconnected: AbortSignal): WakeSignal {
    const signal = new WakeSignal(this.newest);
    this.waiting.add(signal);
    if (disconnected.aborted || this.stop.signal.aborted) signal.end();
    else disconnected.addEventListener('abort', () => signal.end(), { once: true });
    return signal;
  }

  private endWaits(): void {
    for (const signal of this.waiting) signal.end();
  }

  private closeSignal(signal: WakeSignal): void {
    signal.end();
    this.waiting.delete(signal);
  }
}

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
