import type { LRUCache } from 'lru-cache';
import { createLruCache } from '#libs/kernel/lru-cache.js';
import { LOG_START, type Position, type Revision, type StoredEvent } from '#libs/kernel/event.js';
import { StreamsWithMetadata } from './eventstoredb.metadata.js';
import { decode, isOwnRecord, positionOf, type ServerRecord } from './eventstoredb.records.js';
import { NewestEvents } from './newest-events.js';
import type { EventPage } from './event-log.port.js';

const STREAMS_MAX = 50_000;
const WAIT_MS = 250;
const SILENT_MS = 900;

interface PendingWait {
  readonly commit: bigint;
  done(isThere: boolean): void;
}

interface ReadMark {
  readonly run: SubscriptionRun;
  readonly taken: number;
}

/** State since the subscription began. Without gaps, however often it was resumed. */
interface SubscriptionRun {
  readonly events: NewestEvents;
  readonly ends: LRUCache<string, Revision>;
  readonly metadata: StreamsWithMetadata;
  upTo: Position;
  commit: bigint;
  taken: number;
}

/**
 * End of the log as the process's live subscription delivers it: for followers of the log, the results of appends and
 * the ends of streams. Callers ask `LogHead` for a moment and wait for it here.
 */
export class LogTail {
  private run: SubscriptionRun | undefined;
  private readonly waiting = new Set<PendingWait>();
  private isLive = false;
  private lastHeardAt = 0;

  begin(commit: bigint | null): void {
    const upTo = commit === null ? LOG_START : positionOf(commit);
    const ends = createLruCache<string, Revision>(STREAMS_MAX);
    const events = new NewestEvents(upTo);
    this.run = { events, ends, metadata: new StreamsWithMetadata(), upTo, commit: commit ?? -1n, taken: 0 };
  }

  end(): void {
    this.run = undefined;
    this.markLost();
  }

  markLive(): void {
    this.isLive = true;
    this.markFresh();
  }

  markLost(): void {
    this.isLive = false;
    for (const each of this.waiting) each.done(false);
  }

  markFresh(): void {
    this.lastHeardAt = performance.now();
  }

  take(record: ServerRecord): void {
    const { run } = this;
    if (!run || record.commit <= run.commit) return;
    this.isLive = true;
    this.markFresh();
    run.commit = record.commit;
    if (isOwnRecord(record)) {
      const event = decode(record);
      run.events.put(event);
      run.ends.set(event.stream, event.revision);
      run.upTo = event.position;
      run.taken += 1;
    } else run.metadata.note(record);
    for (const each of this.waiting) if (each.commit <= record.commit) each.done(true);
  }

  async reach(commit: bigint | null): Promise<boolean> {
    const { run } = this;
    if (!run) return false;
    if (commit === null || commit <= run.commit) return true;
    if (!this.isLive) return false;
    const hasArrived = await new Promise<boolean>(resolve => {
      const done = (hasArrived: boolean) => {
        clearTimeout(timer);
        this.waiting.delete(wait);
        resolve(hasArrived);
      };
      const wait = { commit, done };
      const timer = setTimeout(() => this.giveUp(done), WAIT_MS);
      this.waiting.add(wait);
    });
    return hasArrived && this.run === run;
  }

  get last(): StoredEvent | undefined {
    return this.run?.events.last;
  }

  get isFresh(): boolean {
    return this.isLive && performance.now() - this.lastHeardAt < SILENT_MS;
  }

  /** Complete only while the subscription is live. */
  get metadata(): StreamsWithMetadata | undefined {
    return this.isLive ? this.run?.metadata : undefined;
  }

  page(after: Position, limit: number, types?: readonly string[]): EventPage | null {
    const { run } = this;
    if (!run || after > run.upTo) return null;
    return run.events.page(run.upTo, after, limit, types);
  }

  /** Events from a revision on; null if they must be read. */
  ofStream(stream: string, from: Revision): StoredEvent[] | null {
    const end = this.run?.ends.get(stream);
    if (end === undefined) return null;
    return from > end ? [] : this.run!.events.ofStream(stream, from);
  }

  /** Call before a stream is read to its end. */
  markRead(): ReadMark | undefined {
    return this.run && { run: this.run, taken: this.run.taken };
  }

  noteEnd(stream: string, end: Revision, mark: ReadMark | undefined): void {
    // Later events may have been evicted.
    if (!mark || mark.run !== this.run || mark.run.taken - mark.taken > STREAMS_MAX / 2) return;
    const { ends } = mark.run;
    ends.set(stream, Math.max(end, ends.get(stream) ?? end));
  }

  private giveUp(done: (isThere: boolean) => void): void {
    this.isLive = false;
    done(false);
  }
}
