import type { Position, Revision, StoredEvent, SealedNewEvent } from '#libs/kernel/event.js';

/** Revision of the stream's last event, `none` for a new stream, `any` for no check. */
export type ExpectedRevision = Revision | 'none' | 'any';

/** The stream is not at the expected revision. Load and decide again. */
export class RevisionConflict extends Error {
  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
  ) {
    super(`${stream} is not at revision ${expected}.`);
    this.name = 'RevisionConflict';
  }
}

/** The events exceed `APPEND_BYTES_MAX`: a bug of the caller, whose fields have limits. */
export class AppendTooLarge extends Error {
  constructor(
    readonly stream: string,
    readonly bytes: number,
    problem = `is larger than ${APPEND_BYTES_MAX} bytes`,
  ) {
    super(`An append of ${bytes} bytes to ${stream} ${problem}.`);
    this.name = 'AppendTooLarge';
  }
}

export interface EventPage {
  readonly events: StoredEvent[];
  /** Position to continue from, even if the filter matched nothing. */
  readonly next: Position;
  /** Number of events that a filter by type was compared with. */
  readonly examined?: number;
}

/**
 * The source of truth. Each adapter passes `test/contract/event-log.spec.ts`. Throws `Unavailable` during outages: an
 * append may have been written and must be repeated with the same ids and expected revision.
 */
export abstract class EventLog {
  abstract readonly kind: string;

  /**
   * Appends all events or none, durably. If the stream already has every id, returns the stored events instead. Throws
   * `RevisionConflict` on another revision, or if it has only some ids. At least one event, unique ids, all of
   * `stream`.
   */
  abstract append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly SealedNewEvent[],
  ): Promise<StoredEvent[]>;

  /**
   * Events from a revision (default 0) on, oldest first, at most `countMax` (1 or more). Includes everything appended
   * before the call, or before `asOf`.
   */
  abstract read(stream: string, from?: Revision, countMax?: number, asOf?: Position): Promise<StoredEvent[]>;

  /** Current moment for `asOf`, shared by all reads of a request. Not a position to read from. */
  abstract moment(): Promise<Position>;

  /**
   * At most `limit` (1 to 5,000) events after a position, in log order; examines at most `SCAN_MAX`, or `step` if that
   * would block this process. A returned position is final: no smaller one appears later.
   */
  abstract readAll(after: Position, limit: number, types?: readonly string[], step?: number): Promise<EventPage>;

  /** As `readAll`, for followers that listen with `wake`. Events of other processes may be up to a second late. */
  abstract readNews(after: Position, limit: number, types?: readonly string[]): Promise<EventPage>;

  abstract head(): Promise<Position>;

  /** Position with `count` events between it and a position of this log, which is included; the start if fewer. */
  abstract stepBack(from: Position, count: number): Promise<Position>;

  /**
   * Whether the log contains a position returned earlier, even one after `head` (a record of the server). False for a
   * position of another log, such as before a restore.
   */
  abstract holds(position: Position): Promise<boolean>;

  /** Id of the event at a position, as the leader says now; null if there is none or the embedded file was replaced. */
  abstract idAt(position: Position): Promise<string | null>;

  /** The last event that a live subscription of this process delivered. Omitted where there is none. */
  lastDelivered?(): StoredEvent | undefined;

  /**
   * Calls the listener after a connection to the server was lost, and awaits it before an append is repeated. Omitted
   * where there is no server.
   */
  onLostConnection?(listener: () => Promise<void>): void;

  /**
   * Calls the listener soon after an append by any process, possibly without one. Returns a function that unsubscribes.
   */
  abstract wake(listener: () => void): () => void;

  /** Events of other applications on a shared server, which all methods pass over. */
  countForeignEvents?(timeLimitMs: number): Promise<ForeignEventCount>;

  /** Reads every page of an embedded file of at most `bytesMax`. Throws `Unavailable` if it is damaged. */
  check?(bytesMax?: number): void;

  abstract close(): Promise<void>;
}

export interface ForeignEventCount {
  readonly count: number;
  /** False if the time limit ended the count. */
  readonly isComplete: boolean;
}

export const SCAN_MAX = 20_000;
export const PAGE_MAX = 5_000;
/** Maximum size of an append as JSON: EventStoreDB's limit minus room for framing. */
export const APPEND_BYTES_MAX = 1_000_000;

export function checkAppend(stream: string, events: readonly SealedNewEvent[]): void {
  if (events.length === 0) throw new Error(`An append to ${stream} holds no event.`);
  const misplaced = events.find(event => event.stream !== stream);
  if (misplaced) throw new Error(`An append to ${stream} holds an event of ${misplaced.stream}.`);
  const ids = new Set(events.map(event => event.id));
  if (ids.size < events.length) throw new Error(`An append to ${stream} holds an id twice.`);
}

export function checkLimit(limit: number): void {
  if (Number.isInteger(limit) && limit >= 1 && limit <= PAGE_MAX) return;
  throw new RangeError(`A page of the log holds 1 to ${PAGE_MAX} events, not ${limit}.`);
}
