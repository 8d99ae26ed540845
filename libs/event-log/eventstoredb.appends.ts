import { setTimeout as pause } from 'node:timers/promises';
import { SECOND_MS } from '#libs/kernel/clock.js';
import type { Revision, StoredEvent } from '#libs/kernel/event.js';
import type { Client, AppendResult } from './eventstoredb.client.js';
import {
  toPortError,
  createClosedLogError,
  createFullLogError,
  actualRevision,
  isAccessDenied,
  isOutage,
  isStreamDeleted,
  isTooLarge,
  isWrongVersion,
} from './eventstoredb.errors.js';
import { byteLength, decode, type NewRecord } from './eventstoredb.records.js';
import { createDeletionError, requireBeginning, StreamReader } from './eventstoredb.streams.js';
import type { LogTail } from './eventstoredb.tail.js';
import { AppendTooLarge, RevisionConflict, type ExpectedRevision } from './event-log.port.js';
import { BrokenStream } from './unreadable-event.js';

const ATTEMPTS_MAX = 3;
const RETRY_MS = 100;
const BACK_OFF_FACTOR = 4;
/** Later attempts would outlast clients, which repeat the request after a 503. */
const RETRY_WITHIN_MS = 5 * SECOND_MS;
export const APPENDS_MAX = 2_000;
/** Across all streams; about 20 MB. */
const IDS_MAX = 200_000;

interface Append {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly records: readonly NewRecord[];
}

/**
 * The server deduplicates ids only at the original revision; at the current one it writes them again. So the stream's
 * ids are checked before an append and after a conflict.
 */
export class AppendExecutor {
  private readonly ids = new StreamIdCache();
  private readonly streams: StreamReader;
  private readonly pending = new Set<Promise<unknown>>();
  private isClosed = false;
  newest: bigint | null = null;

  constructor(
    private readonly client: Client,
    private readonly tail: LogTail,
    private readonly onLost: () => Promise<unknown> = async () => undefined,
  ) {
    this.streams = new StreamReader(client, tail);
  }

  run(append: Append): Promise<StoredEvent[]> {
    if (this.isClosed) return Promise.reject(createClosedLogError());
    if (this.pending.size >= APPENDS_MAX) return Promise.reject(createFullLogError());
    const outcome = this.appendWithRetries(append).catch((error: unknown) => {
      throw toPortError(error);
    });
    const settled = outcome.catch(() => undefined).finally(() => this.pending.delete(settled));
    this.pending.add(settled);
    return outcome;
  }

  async read(stream: string, from: Revision, countMax?: number): Promise<StoredEvent[]> {
    const mark = this.tail.markRead();
    const events = await this.streams.read(stream, from, countMax);
    this.ids.note(stream, events);
    if (events.length !== countMax) this.tail.noteEnd(stream, events.at(-1)?.revision ?? from - 1, mark);
    return events;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.pending);
  }

  /** An append without a response may have been written, so it is repeated unchanged. */
  private async appendWithRetries(append: Append): Promise<StoredEvent[]> {
    const retries = new Retries();
    for (let isRetry = false; ; isRetry = true) {
      try {
        // The server may have come back with older data.
        if (isRetry) await this.onLost();
        return await this.appendOnce(append, isRetry);
      } catch (error) {
        if (!isOutage(error) || isAccessDenied(error) || this.isClosed || !(await retries.backOff())) throw error;
      }
    }
  }

  private async appendOnce(append: Append, isRetry: boolean) {
    const { stream, expected, records } = append;
    const earlier = await this.findBeforeAppend(append, isRetry);
    if (earlier) return earlier;
    try {
      const written = await this.client.append(stream, expected, records);
      if (written.commit !== null && (this.newest ?? -1n) < written.commit) this.newest = written.commit;
      if (expected === 'none') requireBeginning(stream, written.last - records.length + 1);
      return await this.readBack(append, written);
    } catch (error) {
      if (isTooLarge(error)) throw toAppendTooLarge(append, error);
      if (isStreamDeleted(error)) throw createDeletionError(stream, 0);
      if (!isWrongVersion(error)) throw error;
      const stored = await this.findStored(append);
      if (stored) return stored;
      throw this.createConflict(append, actualRevision(error));
    }
  }

  /** A later revision that the stream's own events do not have belongs to another application. */
  private createConflict({ stream, expected }: Append, actual: Revision): Error {
    const end = this.ids.end(stream);
    const isOwnEnd = end === (expected === 'none' ? 0 : Number(expected) + 1);
    if (isOwnEnd && actual >= end)
      return new BrokenStream(stream, `has an event without an envelope at revision ${end}`);
    return new RevisionConflict(stream, expected);
  }

  private async findBeforeAppend(append: Append, isRetry: boolean) {
    const { stream, expected } = append;
    if (expected === 'none' && !isRetry) return null;
    const isKnown = typeof expected === 'number' && expected < this.ids.end(stream) && !isRetry;
    return this.findStored(append, !isKnown);
  }

  private async findStored({ stream, expected, records }: Append, mustRead = true) {
    if (mustRead) await this.read(stream, this.ids.end(stream));
    const revisions = records.map(({ id }) => this.ids.revision(stream, id)).filter(revision => revision !== undefined);
    if (revisions.length === 0) return null;
    if (revisions.length < records.length) throw new RevisionConflict(stream, expected);
    const [first, last] = [Math.min(...revisions), Math.max(...revisions)];
    const byId = new Map((await this.read(stream, first, last - first + 1)).map(event => [event.id, event]));
    return records.map(({ id }) => byId.get(id)!);
  }

  /**
   * Reads back an acknowledged append. During an outage returns what was sent: an error would deny a written append.
   */
  private async readBack(append: Append, written: AppendResult) {
    const retries = new Retries();
    for (;;) {
      try {
        return await this.loadStored(append, written);
      } catch (error) {
        if (!isOutage(error) || written.commit === null) throw error;
        if (this.isClosed || !(await retries.backOff()))
          return toAcknowledgedEvents(append, written.last, written.commit);
      }
    }
  }

  /**
   * The stored events may differ from those sent: the server acknowledges repeated ids as if they were new. They arrive
   * over the subscription, or are read.
   */
  private async loadStored(append: Append, { last, commit }: AppendResult) {
    const { stream, records } = append;
    const events = await this.readWritten(stream, Math.max(0, last - records.length + 1), records.length, commit);
    if (events.length === records.length && events.every((event, index) => event.id === records[index]!.id))
      return events;
    const stored = await this.findStored(append);
    if (!stored) throw new Error(`The server acknowledged an append to ${stream}, but its events are missing.`);
    return stored;
  }

  private async readWritten(stream: string, first: Revision, count: number, commit: bigint | null) {
    const hasArrived = commit !== null && (await this.tail.reach(commit));
    const events = hasArrived ? this.tail.ofStream(stream, first)?.slice(0, count) : undefined;
    if (events?.length !== count) return this.read(stream, first, count);
    this.ids.note(stream, events);
    return events;
  }
}

function toAppendTooLarge({ stream, records }: Append, error: unknown): AppendTooLarge {
  const { maxAppendSize } = error as { readonly maxAppendSize?: number };
  const problem = `is refused by the server, whose option --max-append-size is ${maxAppendSize ?? 'lower'}`;
  return new AppendTooLarge(stream, byteLength(stream, records), problem);
}

/** Bounds the attempts of a call and their time. */
class Retries {
  private readonly startedAt = performance.now();
  private attempts = 1;

  /** Returns whether another attempt may begin, after a pause. */
  async backOff(): Promise<boolean> {
    if (this.attempts === ATTEMPTS_MAX || performance.now() - this.startedAt > RETRY_WITHIN_MS) return false;
    await pause(RETRY_MS * BACK_OFF_FACTOR ** (this.attempts - 1));
    this.attempts += 1;
    return true;
  }
}

/**
 * Only the last position is known. Consecutive numbers before it keep the order, because nothing is stored between the
 * events of one append.
 */
const toAcknowledgedEvents = ({ stream, records }: Append, last: Revision, commit: bigint) =>
  records.map((record, index) => {
    const before = records.length - 1 - index;
    return decode({ ...record, stream, revision: last - before, commit: commit - BigInt(before) });
  });

/**
 * Ids of streams from their first event on. Events are immutable, so entries stay valid. Evicts the least recently used
 * streams.
 */
class StreamIdCache {
  private readonly streams = new Map<string, Map<string, Revision>>();
  private total = 0;

  end(stream: string): Revision {
    return this.streams.get(stream)?.size ?? 0;
  }

  revision(stream: string, id: string): Revision | undefined {
    return this.streams.get(stream)?.get(id);
  }

  note(stream: string, events: readonly StoredEvent[]): void {
    const ids = this.streams.get(stream) ?? new Map<string, Revision>();
    this.total -= ids.size;
    for (const { id, revision } of events) if (revision === ids.size) ids.set(id, revision);
    this.total += ids.size;
    this.streams.delete(stream);
    if (ids.size > 0) this.streams.set(stream, ids);
    this.evict(stream);
  }

  private evict(except: string): void {
    for (const [stream, ids] of this.streams) {
      if (this.total <= IDS_MAX || stream === except) return;
      this.streams.delete(stream);
      this.total -= ids.size;
    }
  }
}
