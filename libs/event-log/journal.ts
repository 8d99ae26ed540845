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
import { type FoldedStream, StreamCache } from './stream-cache.js';
import type { EventLog, ExpectedRevision, EventPage } from './event-log.port.js';
import { StreamIds } from './stream-ids.js';
import { UnreadableEvent } from './unreadable-event.js';

/** How many events of a stream are read and folded at once. */
const STREAM_PAGE = 500;
/** How long it is remembered that something could not be written. */
const REFUSED_MS = 30 * SECOND_MS;

/** A stream of a name that is known, folded as an entity says. */
export const createStreamSource = <S>(stream: string, entity: Entity<S>): StreamSource<S> => ({ stream, entity });

/** A stream as it was read. */
export interface LoadedStream<S> {
  readonly stream: string;
  readonly state: S;
  /** What an append that is based on it expects. */
  readonly revision: Revision | 'none';
  /** Of its last event. */
  readonly position: Position;
  readonly ids: StreamIds;
  /** Of the keys before it was opened. */
  readonly generation: number;
}

/** A stream with its events: for kinds of streams that never become long. */
export interface WholeStream<S> {
  readonly stream: string;
  readonly events: readonly Event[];
  readonly state: S;
  readonly revision: Revision | 'none';
}

/** A page of the whole log; what this build does not know is in `stored` alone. */
export interface JournalPage {
  readonly events: Event[];
  readonly stored: StoredEvent[];
  readonly next: Position;
}

/** The log as everything above the codec sees it: events in clear, checked against their schema before they are written. */
export class Journal {
  private readonly kept = new StreamCache();
  private readonly validators = new Map<string, Validator>();
  /** When something could not be written last, if nothing was since (`performance.now()`). */
  private refusedAt = -Infinity;

  constructor(
    readonly log: EventLog,
    private readonly codec: Codec,
  ) {}

  /**
   * As `EventLog.append`; answers the stored events, opened. What a muse says whose key was destroyed is stored as
   * erased; with `mustSeal` it is refused: `forgotten`.
   */
  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    { mustSeal = false }: { readonly mustSeal?: boolean } = {},
  ): Promise<Event[]> {
    events.forEach(event => this.check(event));
    const { sealed, stored } = await this.watched(async () => {
      const sealed = await Promise.all(events.map(event => this.codec.seal(event, mustSeal)));
      return { sealed, stored: await this.log.append(stream, expected, sealed) };
    });
    return Promise.all(stored.map(async (event, at) => this.opened(event, events[at]!, sealed[at]!)));
  }

  /** Whether what was to be written here a moment ago could not be, and nothing was since: a disk may be full. */
  get isRejectingWrites(): boolean {
    return performance.now() - this.refusedAt < REFUSED_MS;
  }

  private async watched<T>(write: () => Promise<T>): Promise<T> {
    try {
      const written = await write();
      this.refusedAt = -Infinity;
      return written;
    } catch (error) {
      if (error instanceof Unavailable) this.refusedAt = performance.now();
      throw error;
    }
  }

  /** Destroys the key of a muse, for good; what was opened with it is kept no longer. May be repeated. */
  erase(muse: string): Promise<void> {
    return this.codec.erase(muse);
  }

  /** The stream's events. Throws `UpgradeNeeded`: nobody knows what an event that is not known has changed. */
  async read(stream: string, from: Revision = 0, limit?: number, asOf?: Position): Promise<Event[]> {
    return this.codec.openAll(await this.log.read(stream, from, limit, asOf));
  }

  /** The events of a stream at some revisions, which stand there up to a position. */
  async readAt(stream: string, revisions: readonly Revision[], asOf: Position): Promise<Event[]> {
    const found = await Promise.all(revisions.map(revision => this.read(stream, revision, 1, asOf)));
    return found.flat();
  }

  /** The last event of a type in a stream, up to a revision. */
  async lastOf<E extends AnyEventType>(type: E, stream: string, revision: Revision): Promise<EventOf<E> | undefined> {
    for (let end = revision + 1; end > 0; end -= STREAM_PAGE) {
      const from = Math.max(0, end - STREAM_PAGE);
      const found = (await this.read(stream, from, end - from)).findLast(event => event.type === type.type);
      if (found) return found as EventOf<E>;
    }
    return undefined;
  }

  /** As `load`, with the events, which are read anew. */
  async loadWhole<S>({ stream, entity }: StreamSource<S>): Promise<WholeStream<S>> {
    const events = await this.read(stream);
    assertReadable(events);
    const state = events.reduce((state, event) => entity.evolve(state, event), entity.initial);
    return { stream, events, state, revision: events.at(-1)?.revision ?? 'none' };
  }

  /**
   * A stream's state, to decide on. What was folded before is kept, and topped up from the log at every look: what it
   * costs is what is new. `asOf`: a moment (`EventLog.moment`), or an event's position, that will do instead of now. Throws `UpgradeNeeded` and `UnreadableEvent`: nobody decides on a stream that they have not read.
   */
  async load<S>({ stream, entity }: StreamSource<S>, asOf?: Position): Promise<LoadedStream<S>> {
    const { generation } = this.codec;
    let folded = this.kept.get(stream, entity, generation) ?? createEmptyFold(entity);
    for (let isEnd = false; !isEnd;) {
      const news = await this.read(stream, folded.ids.size, STREAM_PAGE, asOf);
      assertReadable(news);
      isEnd = news.length < STREAM_PAGE;
      if (news.length > 0) folded = foldEvents(folded, news);
      // Others have their turn while a long stream is read for the first time.
      if (!isEnd) await turn();
    }
    const { state, ids, position } = folded;
    if (ids.size > 0) this.kept.put(stream, folded, generation);
    return { stream, state, ids, position, revision: ids.size > 0 ? ids.size - 1 : 'none', generation };
  }

  /** As `load`, of a stream that nobody has begun yet; null where this process knows that it was. */
  loadNew<S>({ stream, entity }: StreamSource<S>): LoadedStream<S> | null {
    const { generation } = this.codec;
    if (this.kept.get(stream, entity, generation)) return null;
    return { stream, ...createEmptyFold(entity), revision: 'none', generation };
  }

  /** Keeps a stream with what was appended behind it as it was loaded. */
  cache<S>({ stream, entity }: StreamSource<S>, loaded: LoadedStream<S>, events: readonly Event[]): void {
    if (events[0]!.revision !== loaded.ids.size) return;
    this.kept.put(stream, foldEvents({ ...loaded, entity }, events), loaded.generation);
  }

  /** As `EventLog.readAll`, opened: those of types and versions that this build does not know are in `stored` alone. */
  async readAll(after: Position, limit: number, types?: readonly string[]): Promise<JournalPage> {
    return this.openedPage(await this.log.readAll(after, limit, types));
  }

  /** As `EventLog.readNews`, opened likewise. */
  async readNews(after: Position, limit: number, types?: readonly string[]): Promise<JournalPage> {
    return this.openedPage(await this.log.readNews(after, limit, types));
  }

  /** The events of what `EventLog.readNews` answers, for who reads few of their values: each is opened when it is read. */
  async readNewsLazily(after: Position, limit: number, types: readonly string[]): Promise<Omit<JournalPage, 'stored'>> {
    const { events, next } = await this.log.readNews(after, limit, types);
    return { events: await this.codec.openKnownLazily(events), next };
  }

  private async openedPage({ events, next }: EventPage): Promise<JournalPage> {
    return { events: await this.codec.openKnown(events), stored: events, next };
  }

  /** What was just sealed is not opened again; what stood there before may be somebody else's. */
  private opened(stored: StoredEvent, event: NewEvent, sealed: SealedNewEvent): Event | Promise<Event> {
    const isOwn = stored.data === sealed.data && stored.authorization === sealed.authorization;
    return isOwn ? this.codec.reopen(event, stored) : this.codec.open(stored);
  }

  private check(event: NewEvent): void {
    const type = this.codec.getDeclaration(event.type);
    let validator = this.validators.get(event.type);
    if (!validator) this.validators.set(event.type, (validator = Compile(type.schema)));
    if (validator.Check(event.data)) return;
    const [, [error]] = validator.Errors(event.data);
    throw new Error(`${event.type} does not fit its schema: ${error?.instancePath} ${error?.message}`);
  }
}

function assertReadable(events: readonly Event[]): void {
  const found = events.find(({ unreadable }) => unreadable);
  if (found) throw new UnreadableEvent(found, found.unreadable!);
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
