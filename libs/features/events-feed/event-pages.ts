import { Injectable } from '@nestjs/common';
import { EventLog } from '#libs/event-log/event-log.port.js';
import { estimateLength } from '#libs/event-log/newest-events.js';
import { waitForNextSlice } from '#libs/http/cooperative-scheduler.js';
import { LOG_START, type Position, type Revision, type StoredEvent } from '#libs/kernel/event.js';
import { type EventFilter, matchesFilter } from './event-filter.js';
import { EventsOfMuse } from './events-of-muse.js';

const SCANNED_MAX = 20_000;
/** Number of events that one query of a filter by type examines, which blocks the event loop. */
const FILTER_STEP = 1_000;
/** Bounds the time that one read blocks the event loop, and the memory of a stream's reader. */
export const CHUNK = 100;
/** Small pages need no size check, whatever their events hold. */
const UNMEASURED_MAX = 25;
/** Signed requests may hold 64 KiB each, so a page ends early at this size. */
const PAGE_CHARACTERS_MAX = 4_000_000;

/** A rare filter needs several pages to get back through a long log. */
const BACKWARDS_MAX = 2_000;

interface NewestPage {
  readonly events: readonly StoredEvent[];
  /** Position of the next older page. */
  readonly next: Position | null;
}

interface StoredPage {
  readonly events: StoredEvent[];
  /** Position to resume after, even if the filter matched nothing. */
  readonly next: Position;
  /** Number of events that the filter left out. */
  readonly leftOut: number;
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
      const { events, next, isAll, examined } = await this.ofMuse.readAfter(at, requested, filter.museId, filter);
      page.add(events);
      page.leftOut += examined - events.length;
      // Scans the events after the index, so that none is missing while the index catches up.
      if (isAll && !page.isFull) return this.scan(next, page, filter);
      if (page.isFull || events.length < requested) return page.endAt(next);
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
    const isFiltered = filter.museId !== undefined;
    let next = after;
    for (let scanned = 0; scanned < SCANNED_MAX && !page.isFull;) {
      if (scanned > 0) await waitForNextSlice();
      const size = isFiltered ? CHUNK : Math.min(CHUNK, page.left);
      const chunk = await this.log.readAll(next, size, filter.types, FILTER_STEP);
      const examined = chunk.examined ?? chunk.events.length;
      page.leftOut += examined - chunk.events.length;
      for (const event of chunk.events) {
        if (page.isFull) return page.endAt(next);
        next = event.position;
        if (matchesFilter(event, filter)) page.add([event]);
        else page.leftOut += 1;
      }
      if (!page.isFull) next = chunk.next;
      if (chunk.events.length < size && examined < FILTER_STEP) break;
      scanned += Math.max(size, examined);
    }
    return page.endAt(next);
  }
}

class GrowingPage {
  readonly events: StoredEvent[] = [];
  /** Number of events that the filter left out. */
  leftOut = 0;
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

  endAt(next: Position): StoredPage {
    return { events: this.events, next, leftOut: this.leftOut };
  }
}

interface StreamPageRequest {
  readonly after: Position;
  readonly page: GrowingPage;
  readonly filter: EventFilter;
}

async function readStreamPage(
  log: Pick<EventLog, 'read' | 'head'>,
  stream: string,
  { after, page, filter }: StreamPageRequest,
): Promise<StoredPage> {
  // Read before the stream, which then contains all its events up to this head.
  const head = await log.head();
  let last = after;
  let from = await findFirstAfter(log, stream, after);
  for (let scanned = 0; scanned < SCANNED_MAX; scanned += CHUNK) {
    if (scanned > 0) await waitForNextSlice();
    const chunk = await log.read(stream, from, CHUNK);
    for (const event of chunk) {
      last = event.position;
      if (matchesFilter(event, filter)) page.add([event]);
      else page.leftOut += 1;
      if (page.isFull) return page.endAt(last);
    }
    if (chunk.length < CHUNK) return page.endAt(last > head ? last : head);
    from += CHUNK;
  }
  return page.endAt(last);
}

/** Finds the first revision after a position: doubles the step, then bisects. */
async function findFirstAfter(log: Pick<EventLog, 'read'>, stream: string, after: Position): Promise<Revision> {
  const isAfter = async (revision: Revision) => {
    const [event] = await log.read(stream, revision, 1);
    return event === undefined || event.position > after;
  };
  if (await isAfter(0)) return 0;
  let [lower, upper] = [0, 1];
  while (!(await isAfter(upper))) [lower, upper] = [upper, upper * 2];
  while (upper - lower > 1) {
    const middle = Math.floor((lower + upper) / 2);
    if (await isAfter(middle)) upper = middle;
    else lower = middle;
  }
  return upper;
}
