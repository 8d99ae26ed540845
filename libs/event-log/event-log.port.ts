import type { Position, Revision, StoredEvent, SealedNewEvent } from '#libs/kernel/event.js';

/** The revision that a stream must have for an append: of its last event, `none` for no event yet, `any` for no check. */
export type ExpectedRevision = Revision | 'none' | 'any';

/** Another event stands where the append wanted to go. Load, decide again. */
export class RevisionConflict extends Error {
  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
  ) {
    super(`${stream} is not at revision ${expected}.`);
    this.name = 'RevisionConflict';
  }
}

/** The events of one append are larger than `APPEND_BYTES_MAX` together: a bug of the caller, whose fields have limits. */
export class AppendTooLarge extends Error {
  constructor(
    readonly stream: string,
    readonly bytes: number,
  ) {
    super(`An append of ${bytes} bytes to ${stream} is larger than ${APPEND_BYTES_MAX} bytes.`);
    this.name = 'AppendTooLarge';
  }
}

export interface EventPage {
  readonly events: StoredEvent[];
  /** Up to where the log was looked at: what to read after next, also when a filter let nothing through. */
  readonly next: Position;
}

/**
 * The log that is the truth. Every adapter passes `test/contract/event-log.spec.ts`.
 *
 * Outages are `Unavailable`: the append may have been written or not, and is to be repeated with the same ids and
 * the same expected revision.
 */
export abstract class EventLog {
  /** For health: `sqlite`, `eventstoredb`. */
  abstract readonly kind: string;

  /**
   * Writes all events or none, durably, and answers them as stored. Where every id stands in the stream already,
   * nothing is written and the stored events, not the caller's, are answered, whatever was expected. Throws
   * `RevisionConflict` where the stream is at another revision, or only some of the ids stand there already.
   * At least one event; ids within one call differ; all of them name `stream`.
   */
  abstract append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly SealedNewEvent[],
  ): Promise<StoredEvent[]>;

  /**
   * The stream's events from a revision (default 0) on, oldest first, at most `countMax` where that is given (1 or
   * more); none for a stream that does not exist. What anybody had appended when it was asked for is there, or with `asOf` what they
   * had at that moment, or up to an event of that position.
   */
  abstract read(stream: string, from?: Revision, countMax?: number, asOf?: Position): Promise<StoredEvent[]>;

  /** Now, for reads that are to be no older: one question for all of a request's. No place to read from. */
  abstract moment(): Promise<Position>;

  /**
   * At most `limit` (1 to 5,000) events behind a position, in log order, of the named types only where they are
   * named. A position once answered is final: no smaller one appears later. At most `SCAN_MAX` events are looked at.
   */
  abstract readAll(after: Position, limit: number, types?: readonly string[]): Promise<EventPage>;

  /**
   * As `readAll`, for who follows the log and listens with `wake`: up to where this process has been told of, which what
   * somebody else appends is soon, and at the latest a second later where nothing is told any more.
   */
  abstract readNews(after: Position, limit: number, types?: readonly string[]): Promise<EventPage>;

  /** The newest event's position, `START` in an empty log. */
  abstract head(): Promise<Position>;

  /**
   * Whether it has come to a position that was answered before: one behind `head` may be that of a record of the server's
   * own, or of a log that there is no longer, as one is that was restored from an older backup. Of another log is also
   * one where no record stands, from which a server may refuse to read.
   */
  abstract holds(position: Position): Promise<boolean>;

  /** Calls the listener soon after somebody, in whatever process, appended; answers what ends that. May call it for nothing. */
  abstract wake(listener: () => void): () => void;

  abstract close(): Promise<void>;
}

/** How many events one call of `readAll` looks at, at most. */
export const SCAN_MAX = 20_000;
/** The largest page of `readAll`. */
export const PAGE_MAX = 5_000;
/** The largest append, all events together, in bytes of JSON: EventStoreDB's own limit less room for its framing. */
export const APPEND_BYTES_MAX = 1_000_000;
