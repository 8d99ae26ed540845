import type { Position, StoredEvent } from '#libs/kernel/event.js';
import type { Sqlite, Statement } from '#libs/sqlite/open.js';
import { NewestEvents } from './newest-events.js';
import type { Page } from './port.js';
import { positionOf } from './sqlite.rows.js';

/** How many events are kept. Who follows the log reads it many times a second; what is kept longer, V8 takes for lasting. */
const EVENTS_MAX = 256;

/** An event that was inserted, as the row of that number. */
export interface Inserted {
  readonly number: number;
  readonly event: StoredEvent;
  readonly characters: number;
}

/**
 * What this process has appended, so that those who follow the log do not each read it from the file. It holds every
 * event behind its first one for as long as nobody else appends, which changes a counter that SQLite keeps (see
 * `Wakes`); then it begins anew.
 */
export class News {
  private readonly counter: Statement<[number]>;
  private version: number | undefined;
  private newest: NewestEvents | null = null;
  private last = 0;

  constructor(writer: Sqlite) {
    this.counter = writer.prepare<[number]>('PRAGMA data_version');
    this.version = this.counter.one()?.[0];
  }

  /** What a commit has inserted, in its order. */
  put(inserted: readonly Inserted[]): void {
    for (const { number, event, characters } of inserted) {
      const follows = this.newest !== null && number === this.last + 1;
      if (!follows) this.newest = new NewestEvents(positionOf(number - 1), EVENTS_MAX);
      this.newest!.put(event, characters);
      this.last = number;
    }
  }

  /** A page of it; null where it does not hold all that stands behind a position. */
  page(after: Position, limit: number, types?: readonly string[]): Page | null {
    const version = this.counter.one()?.[0];
    if (version !== this.version) this.newest = null;
    this.version = version;
    const events = this.newest?.behind(after, limit, types);
    return events ? { events, next: events.length === limit ? events.at(-1)!.position : positionOf(this.last) } : null;
  }
}
