import { LOG_START, type Position, type StoredEvent } from '#libs/kernel/event.js';
import type { Sqlite } from '#libs/platform/sqlite/sqlite.js';
import { NewestEvents } from './newest-events.js';
import type { EventPage } from './event-log.port.js';
import { ForeignCommits } from './sqlite.foreign-commits.js';
import { positionOf } from './sqlite.rows.js';

/**
 * How many events are kept. Who follows the log reads it many times a second; what is kept longer, V8 takes for
 * lasting.
 */
const EVENTS_MAX = 256;

/** An event that was inserted, and about how long it is. */
export interface InsertedEvent {
  readonly event: StoredEvent;
  readonly characters: number;
}

/**
 * What this process has appended, so that those who follow the log do not each read it from the file. It holds every
 * event behind its first one for as long as nobody else appends; then it begins anew.
 */
export class RecentAppends {
  private readonly foreign: ForeignCommits;
  private newest: NewestEvents | null = null;
  private last: Position = LOG_START;

  constructor(writer: Sqlite) {
    this.foreign = new ForeignCommits(writer);
  }

  /** What a commit has inserted, in its order. */
  put(inserted: readonly InsertedEvent[]): void {
    for (const { event, characters } of inserted) {
      const before = positionOf(Number(event.position) - 1);
      if (!this.newest || before !== this.last) this.newest = new NewestEvents(before, EVENTS_MAX);
      this.newest.put(event, characters);
      this.last = event.position;
    }
  }

  /** A page of it; null where it does not hold all that stands behind a position. */
  page(after: Position, limit: number, types?: readonly string[]): EventPage | null {
    if (this.foreign.hasNew()) this.newest = null;
    return this.newest?.page(this.last, after, limit, types) ?? null;
  }
}
