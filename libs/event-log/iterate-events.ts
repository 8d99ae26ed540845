import { type Position, LOG_START, type StoredEvent } from '#libs/kernel/event.js';
import type { EventLog } from './event-log.port.js';

/** How many events are read at once. */
const PAGE = 1_000;

interface EventRange {
  readonly after?: Position;
  readonly types?: readonly string[];
  readonly upTo?: Position;
}

/**
 * Every stored event in log order, or those of some types, from the beginning or behind a position, up to the head as it is at the beginning, or up to a
 * position that is known.
 */
export async function* iterateEvents(
  log: Pick<EventLog, 'readAll' | 'head'>,
  { after: from = LOG_START, types, upTo }: EventRange = {},
): AsyncGenerator<StoredEvent, void, undefined> {
  const head = upTo ?? (await log.head());
  for (let after = from; after < head;) {
    const { events, next } = await log.readAll(after, PAGE, types);
    for (const event of events) if (event.position <= head) yield event;
    if (next === after) return;
    after = next;
  }
}
