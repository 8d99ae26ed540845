import { setImmediate as turn } from 'node:timers/promises';
import {
  type Event,
  type NewEvent,
  type Position,
  type Revision,
  LOG_START,
  type StoredEvent,
  type SealedNewEvent,
} from '#libs/kernel/event.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import type { Entity, StreamSource } from '#libs/kernel/decide.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import type { AnyEventType, EventOf } from '#libs/kernel/event-type.js';
import { Compile, type Validator } from 'typebox/schema';
import type { Codec } from './codec.js';
import { type FoldedStream, StreamCache, StreamIds } from './stream-cache.js';
import type { AppendTimes } from './append-times.js';
import type { EventLog, ExpectedRevision, EventPage } from './event-log.port.js';
import { UnreadableEvent } from './unreadable-event.js';

const STREAM_PAGE = 500;
const REFUSED_MS = 30 * SECOND_MS;

export const createStreamSource = <S>(stream: string, entity: Entity<S>): StreamSource<S> => ({ stream, entity });

export interface LoadedStream<S> {
  readonly stream: string;
  readonly state: S;
  readonly revision: Revision | 'none';
  readonly position: Position;
  readonly ids: StreamIds;
  readonly generation: number;
}

export interface WholeStream<S> {
  readonly stream: string;
  readonly events: readonly Event[];
  readonly state: S;
  readonly revision: Revision | 'none';
}

/** Events that this version cannot decode are only in `stored`. */
export interface JournalPage {
  readonly events: readonly Event[];
  readonly stored: readonly StoredEvent[];
  readonly next: Position;
}

export interface AppendOptions {
  readonly mustSeal?: boolean | undefined;
  readonly hasTimeOfCause?: boolean | undefined;
}

/** Event log of decoded events, which are validated against their schema before they are written. */
export class Journal {
  private readonly streams = new StreamCache();
  private readonly validators = new Map<string, Validator>();
  private failedAt = -Infinity;

  constructor(
    readonly log: EventLog,
    private readonly codec: Codec,
    private readonly times?: AppendTimes,
  ) {}

  /**
   * As `EventLog.append`, with decoded events. Values of a muse whose key was destroyed are stored as null, or refused
   * as `forgotten` with `mustSeal`. Throws `TookTooLong` and `ClockBehind`.
   */
  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    { mustSeal = false, hasTimeOfCause = false }: AppendOptions = {},
  ): Promise<Event[]> {
    events.forEach(event => this.check(event));
    if (!hasTimeOfCause) await this.times?.admit(events, this);
    const { sealed, stored } = await this.recordFailures(async () => {
      const sealed = await Promise.all(events.map(event => this.codec.seal(event, mustSeal)));
      return { sealed, stored: await this.log.append(stream, expected, sealed) };
    });
    this.times?.note(stored);
    return Promise.all(stored.map(async (event, index) => this.openStored(event, events[index]!, sealed[index]!)));
  }

  /** Whether the last write failed recently, for example because the disk is full. */
  get isRejectingWrites(): boolean {
    return performance.now() - this.failedAt < REFUSED_MS;
  }

  private async recordFailures<T>(write: () => Promise<T>): Promise<T> {
    try {
      const result = await write();
      this.failedAt = -Infinity;
      return result;
    } catch (error) {
      if (error instanceof Unavailable && error.code === 'unavailable') this.failedAt = performance.now();
      throw error;
    }
  }

  erase(muse: string): Promise<void> {
    return this.codec.erase(muse);
  }

  /** Throws `UpgradeNeeded`: the effect of an unknown event is unknown. */
  async read(stream: string, from: Revision = 0, limit?: number, asOf?: Position): Promise<Event[]> {
    const stored = await this.log.read(stream, from, limit, asOf);
    this.times?.note(stored);
    return this.codec.openAll(stored);
  }

  async readAt(stream: string, revisions: readonly Revision[], asOf: Position): Promise<Event[]> {
    const events = await Promise.all(revisions.map(revision => this.read(stream, revision, 1, asOf)));
    return events.flat();
  }

  async lastOf<E extends AnyEventType>(type: E, stream: string, revision: Revision): Promise<EventOf<E> | undefined> {
    for (let end = revision + 1; end > 0; end -= STREAM_PAGE) {
      const from = Math.max(0, end - STREAM_PAGE);
      const event = (await this.read(stream, from, end - from)).findLast(event => event.type === type.type);
      if (event) return event as EventOf<E>;
    }
    return undefined;
  }

  async loadWhole<S>({ stream, entity }: StreamSource<S>): Promise<WholeStream<S>> {
    const events = await this.read(stream);
    assertReadable(events);
    const state = events.reduce((state, event) => entity.evolve(state, event), entity.initial);
    return { stream, events, state, revision: events.at(-1)?.revision ?? 'none' };
  }

  /**
   * Loads a stream's state for a decision. Folds only events that are not cached. `asOf`: a moment (`EventLog.moment`)
   * or position instead of now. Throws `UpgradeNeeded` and `UnreadableEvent`.
   */
  async load<S>({ stream, entity }: StreamSource<S>, asOf?: Position): Promise<LoadedStream<S>> {
    const { generation } = this.codec;
    let folded = this.streams.get(stream, entity, generation) ?? createEmptyFold(entity);
    for (let isEnd = false; !isEnd;) {
      const news = await this.read(stream, folded.ids.size, STREAM_PAGE, asOf);
      assertReadable(news);
      isEnd = news.length < STREAM_PAGE;
      if (news.length > 0) folded = foldEvents(folded, news);
      if (!isEnd) await turn();
    }
    const { state, ids, position } = folded;
    if (ids.size > 0) this.streams.put(stream, folded, generation);
    return { stream, state, ids, position, revision: ids.size > 0 ? ids.size - 1 : 'none', generation };
  }

  /** Empty state for a new stream, without a read. Null if the stream is cached. */
  loadNew<S>({ stream, entity }: StreamSource<S>): LoadedStream<S> | null {
    const { generation } = this.codec;
    if (this.streams.get(stream, entity, generation)) return null;
    return { stream, ...createEmptyFold(entity), revision: 'none', generation };
  }

  cache<S>({ stream, entity }: StreamSource<S>, loaded: LoadedStream<S>, events: readonly Event[]): void {
    if (events[0]!.revision !== loaded.ids.size) return;
    this.streams.put(stream, foldEvents({ ...loaded, entity }, events), loaded.generation);
  }

  async readAll(after: Position, limit: number, types?: readonly string[]): Promise<JournalPage> {
    return this.openPage(await this.log.readAll(after, limit, types));
  }

  async readNews(after: Position, limit: number, types?: readonly string[]): Promise<JournalPage> {
    return this.openPage(await this.log.readNews(after, limit, types));
  }

  /** As `readNews`. Decrypts each field on first read. */
  async readNewsLazily(after: Position, limit: number, types: readonly string[]): Promise<Omit<JournalPage, 'stored'>> {
    const { events, next } = await this.log.readNews(after, limit, types);
    this.times?.note(events);
    return { events: await this.codec.openKnownLazily(events), next };
  }

  async openPage({ events, next }: EventPage): Promise<JournalPage> {
    this.times?.note(events);
    return { events: await this.codec.openKnown(events), stored: events, next };
  }

  /** The values just sealed need no decryption. A repeated append may return events of another process. */
  private openStored(stored: StoredEvent, event: NewEvent, sealed: SealedNewEvent): Event | Promise<Event> {
    const isWrittenNow = stored.data === sealed.data && stored.authorization === sealed.authorization;
    return isWrittenNow ? this.codec.reopen(event, stored) : this.codec.open(stored);
  }

  private check(event: NewEvent): void {
    const type = this.codec.getDeclaration(event.type);
    let validator = this.validators.get(event.type);
    if (!validator) this.validators.set(event.type, (validator = Compile(type.schema)));
    if (validator.Check(event.data)) return;
    const [, [error]] = validator.Errors(event.data);
    throw new Error(`${event.type} does not match its schema: ${error?.instancePath} ${error?.message}`);
  }
}

function assertReadable(events: readonly Event[]): void {
  const unreadable = events.find(({ unreadable }) => unreadable);
  if (unreadable) throw new UnreadableEvent(unreadable, unreadable.unreadable!);
}

const createEmptyFold = <S>(entity: Entity<S>): FoldedStream<S> => ({
  entity,
  state: entity.initial,
  ids: StreamIds.none(),
  position: LOG_START,
});

function foldEvents<S>({ entity, state, ids }: FoldedStream<S>, news: readonly Event[]): FoldedStream<S> {
  const next = news.reduce((state, event) => entity.evolve(state, event), state);
  return { entity, state: next, ids: ids.with(news), position: news.at(-1)!.position };
}
