import { setTimeout as pause } from 'node:timers/promises';
import type { Revision, StoredEvent } from '#libs/kernel/event.js';
import type { Client, AppendResult } from './eventstoredb.client.js';
import {
  toPortError,
  createClosedLogError,
  createFullLogError,
  isOutage,
  isTooLarge,
  isWrongVersion,
} from './eventstoredb.errors.js';
import { decode, type NewRecord } from './eventstoredb.records.js';
import { StreamIdCache } from './eventstoredb.stream-id-cache.js';
import type { LogTail } from './eventstoredb.tail.js';
import { APPEND_BYTES_MAX, AppendTooLarge, RevisionConflict, type ExpectedRevision } from './event-log.port.js';

/** How often an append is tried that got no answer; each takes the client's time-out at most. */
const ATTEMPTS_MAX = 3;
/** What is waited before the second attempt; before the third it is as much again, times the factor. */
const RETRY_MS = 100;
const BACK_OFF_FACTOR = 4;
/** How many appends are under way; what comes on top is refused as an outage. */
export const APPENDS_MAX = 2_000;

/**
 * Writes streams. The server knows an append again by its ids only where it is repeated at the revision that it was
 * made for; at the stream's present revision it writes the same ids a second time. So the stream's ids are looked at
 * before an append, and again where the server says that the stream is at another revision.
 */
export class AppendExecutor {
  private readonly known = new StreamIdCache();
  private readonly underWay = new Set<Promise<unknown>>();
  private closed = false;
  /** The newest commit position that an append was answered with. */
  newest: bigint | null = null;

  constructor(
    private readonly client: Client,
    private readonly tail: LogTail,
  ) {}

  run(stream: string, expected: ExpectedRevision, records: readonly NewRecord[]): Promise<StoredEvent[]> {
    if (this.closed) return Promise.reject(createClosedLogError());
    if (this.underWay.size >= APPENDS_MAX) return Promise.reject(createFullLogError());
    const outcome = this.attempts(stream, expected, records).catch((error: unknown) => {
      throw toPortError(error);
    });
    const ended = outcome.catch(() => undefined).finally(() => this.underWay.delete(ended));
    this.underWay.add(ended);
    return outcome;
  }

  /** The stream's events from a revision on. */
  async read(stream: string, from: Revision, countMax?: number): Promise<StoredEvent[]> {
    const look = this.tail.markRead();
    const events = (await this.client.readStream(stream, from, countMax)).map(decode);
    this.known.note(stream, events);
    if (events.length !== countMax) this.tail.ends(stream, events.at(-1)?.revision ?? from - 1, look);
    return events;
  }

  /** Takes no more, and answers when those under way have ended; they are not tried again. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.underWay);
  }

  /** An append without an answer may have been written or not: it is repeated, ids and expected revision the same. */
  private async attempts(
    stream: string,
    expected: ExpectedRevision,
    records: readonly NewRecord[],
  ): Promise<StoredEvent[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.attempt(stream, expected, records, attempt > 1);
      } catch (error) {
        if (!isOutage(error) || this.closed || attempt === ATTEMPTS_MAX) throw error;
        await backOff(attempt);
      }
    }
  }

  private async attempt(stream: string, expected: ExpectedRevision, records: readonly NewRecord[], again: boolean) {
    const there = await this.lookBefore(stream, expected, records, again);
    if (there) return there;
    try {
      const written = await this.client.append(stream, expected, records);
      if (written.commit !== null && (this.newest ?? -1n) < written.commit) this.newest = written.commit;
      return await this.readBack(stream, expected, records, written);
    } catch (error) {
      if (isTooLarge(error)) throw new AppendTooLarge(stream, APPEND_BYTES_MAX);
      if (!isWrongVersion(error)) throw error;
    }
    const stored = await this.find(stream, expected, records);
    if (!stored) throw new RevisionConflict(stream, expected);
    return stored;
  }

  /** A new stream needs no look, and a revision whose events are all known here needs no question. */
  private async lookBefore(stream: string, expected: ExpectedRevision, records: readonly NewRecord[], again: boolean) {
    if (expected === 'none' && !again) return null;
    const isKnown = typeof expected === 'number' && expected < this.known.end(stream) && !again;
    return this.find(stream, expected, records, !isKnown);
  }

  /** The stored events of these ids; null where none of them stands in the stream. Throws where only some do. */
  private async find(stream: string, expected: ExpectedRevision, records: readonly NewRecord[], look = true) {
    if (look) await this.read(stream, this.known.end(stream));
    const revisions = records.map(({ id }) => this.known.revision(stream, id)).filter(at => at !== undefined);
    if (revisions.length === 0) return null;
    if (revisions.length < records.length) throw new RevisionConflict(stream, expected);
    const [first, last] = [Math.min(...revisions), Math.max(...revisions)];
    const byId = new Map((await this.read(stream, first, last - first + 1)).map(event => [event.id, event]));
    return records.map(({ id }) => byId.get(id)!);
  }

  /** Reads an acknowledged append. During an outage it returns what was sent: an error would deny the append. */
  private async readBack(
    stream: string,
    expected: ExpectedRevision,
    records: readonly NewRecord[],
    written: AppendResult,
  ) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.asStored(stream, expected, records, written);
      } catch (error) {
        if (!isOutage(error) || written.commit === null) throw error;
        if (this.closed || attempt === ATTEMPTS_MAX) return acknowledged(stream, records, written.last, written.commit);
        await backOff(attempt);
      }
    }
  }

  /**
   * What stands in the log, which is not what was sent where the same ids had been written before: the server answers
   * such an append as if it were new, and does not compare. It comes over the subscription, and is read where it does not.
   */
  private async asStored(
    stream: string,
    expected: ExpectedRevision,
    records: readonly NewRecord[],
    written: AppendResult,
  ) {
    const first = Math.max(0, written.last - records.length + 1);
    const events = await this.written(stream, first, records.length, written.commit);
    if (events.length === records.length && events.every((event, at) => event.id === records[at]!.id)) return events;
    const stored = await this.find(stream, expected, records);
    if (!stored) throw new Error(`An append to ${stream} was answered, and its events are not there.`);
    return stored;
  }

  private async written(stream: string, first: Revision, count: number, commit: bigint | null) {
    const isThere = commit !== null && (await this.tail.reach(commit));
    const events = isThere ? this.tail.stream(stream, first)?.slice(0, count) : undefined;
    if (events?.length !== count) return this.read(stream, first, count);
    this.known.note(stream, events);
    return events;
  }
}

const backOff = (attempt: number) => pause(RETRY_MS * BACK_OFF_FACTOR ** (attempt - 1));

/**
 * The events of an acknowledged append. Only the last position is known. No other event stands between the positions of
 * one append, so numbers right before it keep the order.
 */
const acknowledged = (stream: string, records: readonly NewRecord[], last: Revision, commit: bigint) =>
  records.map((record, at) => {
    const before = records.length - 1 - at;
    return decode({ ...record, stream, revision: last - before, commit: commit - BigInt(before) });
  });
