import { type Position, LOG_START, type StoredEvent } from '#libs/kernel/event.js';
import type { EventLog } from './event-log.port.js';

const PAGE_EVENTS = 1_000;

interface EventRange {
  readonly after?: Position;
  readonly types?: readonly string[];
  readonly upTo?: Position;
}

/** Yields events in log order from `after` up to `upTo`, by default from the start up to the current head. */
export async function* iterateEvents(
  log: Pick<EventLog, 'readAll' | 'head'>,
  { after: from = LOG_START, types, upTo }: EventRange = {},
): AsyncGenerator<StoredEvent, void, undefined> {
  const head = upTo ?? (await log.head());
  for (let after = from; after < head;) {
    const { events, next } = await log.readAll(after, PAGE_EVENTS, types);
    for (const event of events) if (event.position <= head) yield event;
    if (next === after) return;
    after = next;
  }
}
