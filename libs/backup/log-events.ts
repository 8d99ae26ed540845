import { append, EMPTY, type Edge, rootOf } from '#libs/audit/merkle.js';
import type { EventLog } from '#libs/event-log/port.js';
import { type Position, START, type StoredEvent } from '#libs/kernel/event.js';
import { eventDigest } from '#libs/signing/event-digest.js';

/** How many events are read at once. */
const PAGE = 1_000;

/** Every stored event in log order, up to the head as it is at the beginning, or up to a position that is known. */
export async function* eventsOf(
  log: Pick<EventLog, 'readAll' | 'head'>,
  upTo?: Position,
): AsyncGenerator<StoredEvent, void, undefined> {
  const head = upTo ?? (await log.head());
  for (let after = START; after < head;) {
    const { events, next } = await log.readAll(after, PAGE);
    for (const event of events) if (event.position <= head) yield event;
    if (next === after) return;
    after = next;
  }
}

/** Counts events and keeps the tree of their digests. */
export class Tally {
  private edge: Edge = EMPTY;
  head: Position | null = null;

  get count(): number {
    return this.edge.size;
  }

  get root(): string {
    return rootOf(this.edge);
  }

  take(event: StoredEvent): void {
    this.edge = append(this.edge, eventDigest(event));
    this.head = event.position;
  }
}
