import type { LRUCache } from 'lru-cache';
import { createLruCache } from '#libs/kernel/lru-cache.js';
import { LOG_START, type Position, type Revision, type StoredEvent } from '#libs/kernel/event.js';
import { decode, isOwnRecord, positionOf, type ServerRecord } from './eventstoredb.records.js';
import { NewestEvents } from './newest-events.js';
import type { EventPage } from './event-log.port.js';

/** Of how many streams it is known where they end. */
const STREAMS_MAX = 50_000;
/** How long somebody waits for an event that stands in the log, before it is read: it comes within a millisecond. */
const WAIT_MS = 250;
/** How long nothing may have come before it is asked whether there is nothing. */
const SILENT_MS = 900;

interface PendingWait {
  readonly commit: bigint;
  done(isThere: boolean): void;
}

/** What a read of a stream began with, so that its answer can be told from what came meanwhile. */
export interface ReadMark {
  readonly run: SubscriptionRun;
  readonly taken: number;
}

/** What is known since the subscription began, which has no gap however often it was taken up again. */
interface SubscriptionRun {
  readonly events: NewestEvents;
  /** The revision behind which a stream holds nothing, as of the last event that came. */
  readonly ends: LRUCache<string, Revision>;
  /** The newest event that came, or where it began. */
  upTo: Position;
  commit: bigint;
  taken: number;
}

/**
 * The log's end as the one live subscription of the process hands it out: what everybody who follows the log reads,
 * what an append comes back in, and what tells whether a stream holds anything new. As of when that is, its user asks
 * the log itself (`Head`) and waits for here.
 */
export class LogTail {
  private run: SubscriptionRun | undefined;
  private readonly waiting = new Set<PendingWait>();
  private isLive = false;
  private heardAt = 0;

  /** `commit`: the newest event's, behind which the subscription begins; null in an empty log. */
  begin(commit: bigint | null): void {
    const upTo = commit === null ? LOG_START : positionOf(commit);
    const ends = createLruCache<string, Revision>(STREAMS_MAX);
    this.run = { events: new NewestEvents(upTo), ends, upTo, commit: commit ?? -1n, taken: 0 };
  }

  /** Nobody listens any more: what comes from now on is missed. */
  end(): void {
    this.run = undefined;
    this.markLost();
  }

  /** The subscription stands. */
  markLive(): void {
    this.isLive = true;
    this.markFresh();
  }

  /** The subscription was lost: until it stands again nobody waits for it. */
  markLost(): void {
    this.isLive = false;
    for (const each of this.waiting) each.done(false);
  }

  /** As of now nothing is missing, or something came. */
  markFresh(): void {
    this.heardAt = performance.now();
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
    }
    for (const each of this.waiting) if (each.commit <= record.commit) each.done(true);
  }

  /** Waits a moment until the event at a commit position has come; answers whether it has. */
  async reach(commit: bigint | null): Promise<boolean> {
    const { run } = this;
    if (!run) return false;
    if (commit === null || commit <= run.commit) return true;
    if (!this.isLive) return false;
    const isThere = await new Promise<boolean>(resolve => {
      const done = (isThere: boolean) => {
        clearTimeout(timer);
        this.waiting.delete(waiting);
        resolve(isThere);
      };
      const waiting = { commit, done };
      const timer = setTimeout(() => this.give(done), WAIT_MS);
      this.waiting.add(waiting);
    });
    return isThere && this.run === run;
  }

  /** Whether what came last tells what there is: something has come just now, or was asked for. */
  get isFresh(): boolean {
    return this.isLive && performance.now() - this.heardAt < SILENT_MS;
  }

  /** Of what has come; null where it does not begin there. */
  page(after: Position, limit: number, types?: readonly string[]): EventPage | null {
    const { run } = this;
    if (!run || after > run.upTo) return null;
    return run.events.page(run.upTo, after, limit, types);
  }

  /** Where a stream ends; undefined where that is not known. */
  endOf(stream: string): Revision | undefined {
    return this.run?.ends.get(stream);
  }

  /** A stream's events from a revision on, as of the last that came; null where they have to be read. */
  stream(stream: string, from: Revision): StoredEvent[] | null {
    const end = this.endOf(stream);
    if (end === undefined) return null;
    return from > end ? [] : this.run!.events.ofStream(stream, from);
  }

  /** To be called before a stream is read to its end. */
  markRead(): ReadMark | undefined {
    return this.run && { run: this.run, taken: this.run.taken };
  }

  /** A stream was read, and holds nothing behind a revision but what came since the look. */
  ends(stream: string, end: Revision, look: ReadMark | undefined): void {
    // What came meanwhile may have been forgotten again.
    if (!look || look.run !== this.run || look.run.taken - look.taken > STREAMS_MAX / 2) return;
    const { ends } = look.run;
    ends.set(stream, Math.max(end, ends.get(stream) ?? end));
  }

  /** Somebody else has written where one did not see it: the stream is to be read. */
  forget(stream: string): void {
    this.run?.ends.delete(stream);
  }

  /** It does not come: until something does, nobody else waits. */
  private give(done: (isThere: boolean) => void): void {
    this.isLive = false;
    done(false);
  }
}
