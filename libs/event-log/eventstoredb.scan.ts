import type { Position, StoredEvent } from '#libs/kernel/event.js';
import type { Client } from './eventstoredb.client.js';
import { isTooSlow, UnsupportedServer } from './eventstoredb.errors.js';
import { commitOf, decode, isOwnRecord, positionOf, type ServerRecord } from './eventstoredb.records.js';
import { SCAN_MAX, type EventPage } from './event-log.port.js';

const CHUNK_RECORDS = 500;
const WINDOW_RECORDS = 4_096;
const WINDOWS_MAX = Math.floor((SCAN_MAX - CHUNK_RECORDS) / WINDOW_RECORDS);
/** The server's records at the end are read again next time, up to this number, so that `next` can be the head. */
const TRAILING_MAX = 500;

/**
 * Reads one page of the log and drops the server's records. A filtered read far from the head uses a subscription,
 * because only that filters on the server.
 */
export class LogScan {
  private readonly events: StoredEvent[] = [];
  private examined = 0;
  private windows = 0;
  private lastCommit: bigint | null;
  private ownCommit: bigint | null;
  private isAtRecord = true;
  private trailing = 0;

  constructor(
    private readonly client: Client,
    private readonly after: Position,
    private readonly limit: number,
    private readonly types?: readonly string[],
  ) {
    this.lastCommit = this.ownCommit = commitOf(after);
  }

  async page(): Promise<EventPage> {
    let hasMore = await this.readChunk();
    if (hasMore && this.types) {
      await this.catchUp(this.types);
      hasMore = this.examined < SCAN_MAX;
    }
    while (hasMore) hasMore = await this.readChunk();
    if (!this.isAtRecord && !this.isFull()) await this.stepBack();
    const examined = Math.min(SCAN_MAX, this.examined + this.windows * WINDOW_RECORDS);
    return { events: this.events, next: this.next(), ...(this.types && { examined }) };
  }

  private async readChunk(): Promise<boolean> {
    const missing = this.limit - this.events.length;
    const pageSize = this.types ? CHUNK_RECORDS : Math.max(missing, this.examined > 0 ? CHUNK_RECORDS : 1);
    const count = Math.min(pageSize, SCAN_MAX - this.examined);
    if (count === 0 || this.isFull()) return false;
    const { lastCommit: before } = this;
    const records = await this.client.readForwards(before ?? 'start', count + 1);
    for (const record of records) if (!this.isFull() && this.isAhead(record)) this.take(record);
    const hasMore = records.length === count + 1 && !this.isFull();
    if (hasMore && this.lastCommit === before)
      throw new UnsupportedServer(`The server returned the same page twice after ${before}.`);
    return hasMore;
  }

  private isAhead({ commit }: ServerRecord): boolean {
    if (this.lastCommit === null || commit > this.lastCommit) return true;
    return commit === this.lastCommit && !this.isAtRecord;
  }

  private take(record: ServerRecord): void {
    this.examined += 1;
    this.lastCommit = record.commit;
    this.isAtRecord = true;
    this.trailing += 1;
    if (!isOwnRecord(record)) return;
    this.ownCommit = record.commit;
    this.trailing = 0;
    if (!this.types || this.types.includes(record.type)) this.events.push(decode(record));
  }

  private async catchUp(types: readonly string[]): Promise<void> {
    const call = this.client.subscribe(this.lastCommit!, buildTypeRegex(types), WINDOW_RECORDS, this.client.timeoutMs);
    try {
      for await (const item of call.items) {
        if (item === 'caughtUp') return;
        if (typeof item === 'string') continue;
        if ('event' in item) this.take(item.event);
        else this.windows += this.applyCheckpoint(item.checkpoint);
        if (this.isFull()) return;
        if (this.windows === WINDOWS_MAX) return void (this.examined = SCAN_MAX);
      }
    } catch (error) {
      // The subscription was already live when it was dropped: nothing is missing before.
      if (!isTooSlow(error)) throw error;
    }
  }

  private applyCheckpoint(commit: bigint): number {
    if (commit > this.lastCommit!) {
      this.lastCommit = this.ownCommit = commit;
      this.isAtRecord = false;
    }
    this.trailing = 0;
    return 1;
  }

  /**
   * Moves back to a record if nothing followed a checkpoint. At the end of the log, 24.x names the position of the next
   * event, which a page ending there would skip.
   */
  private async stepBack(): Promise<void> {
    const [record] = await this.client.readBackwards(this.lastCommit!, 1);
    this.lastCommit = this.ownCommit = record?.commit ?? commitOf(this.after);
  }

  private isFull(): boolean {
    return this.events.length === this.limit;
  }

  private next(): Position {
    if (this.isFull()) return this.events.at(-1)!.position;
    const commit = this.trailing > TRAILING_MAX ? this.lastCommit : this.ownCommit;
    return commit === null ? this.after : positionOf(commit);
  }
}

function buildTypeRegex(types: readonly string[]): string {
  return `^(${types.map(type => type.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})$`;
}
