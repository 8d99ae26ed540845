import { LOG_START, type Position, type StoredEvent } from '#libs/kernel/event.js';
import type { Sqlite } from '#libs/platform/sqlite/sqlite.js';
import { NewestEvents } from './newest-events.js';
import type { EventPage } from './event-log.port.js';
import { ForeignCommits } from './sqlite.foreign-commits.js';
import { positionOf } from './sqlite.rows.js';

/** Followers read many times a second. V8 would move longer-lived events to the old generation. */
const EVENTS_MAX = 256;

export interface InsertedEvent {
  readonly event: StoredEvent;
  readonly characters: number;
}

/**
 * Events that this process appended, so that followers need not read the file. Complete until another process appends;
 * starts again then.
 */
export class RecentAppends {
  private readonly foreign: ForeignCommits;
  private newest: NewestEvents | null = null;
  private last: Position = LOG_START;

  constructor(writer: Sqlite) {
    this.foreign = new ForeignCommits(writer);
  }

  put(inserted: readonly InsertedEvent[]): void {
    for (const { event, characters } of inserted) {
      const before = positionOf(Number(event.position) - 1);
      if (!this.newest || before !== this.last) this.newest = new NewestEvents(before, EVENTS_MAX);
      this.newest.put(event, characters);
      this.last = event.position;
    }
  }

  page(after: Position, limit: number, types?: readonly string[]): EventPage | null {
    if (this.foreign.hasNew()) this.newest = null;
    return this.newest?.page(this.last, after, limit, types) ?? null;
  }
}
