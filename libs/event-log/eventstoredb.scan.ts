import type { Position, StoredEvent } from '#libs/kernel/event.js';
import type { Client } from './eventstoredb.client.js';
import { isTooSlow, UnsupportedServer } from './eventstoredb.errors.js';
import { commitOf, decode, isOwnRecord, positionOf, type ServerRecord } from './eventstoredb.records.js';
import { SCAN_MAX, type EventPage } from './event-log.port.js';

/** How many records of a log that is filtered are fetched at once: near the end all there are. */
const CHUNK_RECORDS = 500;
/** How many records the server looks at between two checkpoints of a filtered subscription. */
const WINDOW_RECORDS = 4_096;
const WINDOWS_MAX = Math.floor((SCAN_MAX - CHUNK_RECORDS) / WINDOW_RECORDS);
/** The server's own records at the end are looked at again next time, up to so many, so that `next` can be the head. */
const TRAILING_MAX = 500;

/**
 * One page of the whole log. Reading includes the place it begins at, and the server's own records: both are dropped.
 * A filtered read that is far behind has the server filter, which only a subscription can.
 */
export class LogScan {
  private readonly events: StoredEvent[] = [];
  private looked = 0;
  /** The last record looked at, and the last of ours. */
  private at: bigint | null;
  private own: bigint | null;
  /** Whether `at` is where a record stands that was looked at. A checkpoint may name the place of one that is to come. */
  private isAtRecord = true;
  private trailing = 0;

  constructor(
    private readonly client: Client,
    private readonly after: Position,
    private readonly limit: number,
    private readonly types?: readonly string[],
  ) {
    this.at = this.own = commitOf(after);
  }

  async page(): Promise<EventPage> {
    let isBehind = await this.chunk();
    if (isBehind && this.types) {
      await this.catchUp(this.types);
      isBehind = this.looked < SCAN_MAX;
    }
    while (isBehind) isBehind = await this.chunk();
    if (!this.isAtRecord && !this.isFull()) await this.stepBack();
    return { events: this.events, next: this.next() };
  }

  /** Looks at the next records; answers whether there is more to look at. */
  private async chunk(): Promise<boolean> {
    const missing = this.limit - this.events.length;
    // What a first look left missing lies behind what is the server's own, or of other types: there may be much of it.
    const wanted = this.types ? CHUNK_RECORDS : Math.max(missing, this.looked > 0 ? CHUNK_RECORDS : 1);
    const count = Math.min(wanted, SCAN_MAX - this.looked);
    if (count === 0 || this.isFull()) return false;
    const { at } = this;
    const records = await this.client.readForwards(at ?? 'start', count + 1);
    for (const record of records) if (!this.isFull() && this.isAhead(record)) this.take(record);
    const isMore = records.length === count + 1 && !this.isFull();
    if (isMore && this.at === at) throw new UnsupportedServer(`The server read the same page twice behind ${at}.`);
    return isMore;
  }

  private isAhead({ commit }: ServerRecord): boolean {
    if (this.at === null || commit > this.at) return true;
    return commit === this.at && !this.isAtRecord;
  }

  private take(record: ServerRecord): void {
    this.looked += 1;
    this.at = record.commit;
    this.isAtRecord = true;
    this.trailing += 1;
    if (!isOwnRecord(record)) return;
    this.own = record.commit;
    this.trailing = 0;
    if (!this.types || this.types.includes(record.type)) this.events.push(decode(record));
  }

  /** A subscription up to the end, at most so many windows; a checkpoint counts behind the events in front of it. */
  private async catchUp(types: readonly string[]): Promise<void> {
    const call = this.client.subscribe(this.at!, buildTypeRegex(types), WINDOW_RECORDS, this.client.timeoutMs);
    let windows = 0;
    try {
      for await (const item of call.items) {
        if (item === 'caughtUp') return;
        if (typeof item === 'string') continue;
        if ('event' in item) this.take(item.event);
        else windows += this.checkpoint(item.checkpoint);
        if (this.isFull()) return;
        if (windows === WINDOWS_MAX) return void (this.looked = SCAN_MAX);
      }
    } catch (error) {
      // Live already, and dropped: what came before has no gap.
      if (!isTooSlow(error)) throw error;
    }
  }

  private checkpoint(commit: bigint): number {
    if (commit > this.at!) {
      this.at = this.own = commit;
      this.isAtRecord = false;
    }
    this.trailing = 0;
    return 1;
  }

  /**
   * To the last record in front of a checkpoint behind which nothing was read. At the end of the log, 24.x names the
   * address of the next event for an empty page, which that event then has: a page that ended there would lose it.
   */
  private async stepBack(): Promise<void> {
    const [record] = await this.client.readBackwards(this.at!, 1);
    this.at = this.own = record?.commit ?? commitOf(this.after);
  }

  private isFull(): boolean {
    return this.events.length === this.limit;
  }

  private next(): Position {
    if (this.isFull()) return this.events.at(-1)!.position;
    const commit = this.trailing > TRAILING_MAX ? this.at : this.own;
    return commit === null ? this.after : positionOf(commit);
  }
}

/** A pattern that matches the types and no other. */
function buildTypeRegex(types: readonly string[]): string {
  return `^(${types.map(type => type.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})$`;
}
