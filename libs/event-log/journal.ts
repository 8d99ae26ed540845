import type { Event, NewEvent, Position, Revision, StoredEvent, StoredNewEvent } from '#libs/kernel/event.js';
import type { Entity, Source } from '#libs/kernel/decide.js';
import { Compile } from 'typebox/compile';
import type { Codec } from './codec.js';
import { KeptStreams } from './kept-streams.js';
import type { EventLog, Expected } from './port.js';
import { UnreadableEvent } from './unreadable.js';

/** A stream of a name that is known, folded as an entity says. */
export const source = <S>(stream: string, entity: Entity<S>): Source<S> => ({ stream, entity });

/** A stream as it was read. */
export interface Loaded<S> {
  readonly stream: string;
  readonly events: readonly Event[];
  readonly state: S;
  /** What an append that is based on it expects. */
  readonly revision: Revision | 'none';
}

/** The log as everything above the codec sees it: events in clear, checked against their schema before they are written. */
export class Journal {
  private readonly kept = new KeptStreams();
  private readonly validators = new Map<string, ReturnType<typeof Compile>>();

  constructor(
    readonly log: EventLog,
    private readonly codec: Codec,
  ) {}

  /** As `EventLog.append`; answers the stored events, opened. */
  async append(stream: string, expected: Expected, events: readonly NewEvent[]): Promise<Event[]> {
    events.forEach(event => this.check(event));
    const sealed = await Promise.all(events.map(event => this.codec.seal(event)));
    const stored = await this.log.append(stream, expected, sealed);
    return Promise.all(stored.map(async (event, at) => this.opened(event, events[at]!, sealed[at]!)));
  }

  /** The stream's events. Throws `UpgradeNeeded`: nobody knows what an event that is not known has changed. */
  async read(stream: string, from: Revision = 0): Promise<Event[]> {
    return this.codec.openAll(await this.log.read(stream, from));
  }

  /**
   * A stream and its state, to decide on. What was read before is kept, and topped up from the log at every look.
   * Throws `UpgradeNeeded` and `UnreadableEvent`: nobody decides on a stream that they have not read.
   */
  async load<S>({ stream, entity }: Source<S>): Promise<Loaded<S>> {
    const { generation } = this.codec;
    const known = this.kept.get(stream, generation);
    const news = await this.read(stream, (known.at(-1)?.revision ?? -1) + 1);
    mustBeReadable(news);
    const events = news.length > 0 ? [...known, ...news] : known;
    this.kept.put(stream, events, generation);
    const state = events.reduce((state, event) => entity.evolve(state, event), entity.initial);
    return { stream, events, state, revision: events.at(-1)?.revision ?? 'none' };
  }

  /** As `EventLog.readAll`, opened: those of types and versions that this build does not know are in `stored` alone. */
  async readAll(
    after: Position,
    limit: number,
    types?: readonly string[],
  ): Promise<{ events: Event[]; stored: StoredEvent[]; next: Position }> {
    const page = await this.log.readAll(after, limit, types);
    return { events: await this.codec.openKnown(page.events), stored: page.events, next: page.next };
  }

  /** What was just sealed is not opened again; what stood there before may be somebody else's. */
  private opened(stored: StoredEvent, event: NewEvent, sealed: StoredNewEvent): Event | Promise<Event> {
    const isOwn = stored.data === sealed.data && stored.authorization === sealed.authorization;
    return isOwn ? this.codec.reopen(event, stored) : this.codec.open(stored);
  }

  private check(event: NewEvent): void {
    const type = this.codec.declared(event.type);
    let validator = this.validators.get(event.type);
    if (!validator) this.validators.set(event.type, (validator = Compile(type.schema)));
    if (validator.Check(event.data)) return;
    const [error] = validator.Errors(event.data);
    throw new Error(`${event.type} does not fit its schema: ${error?.instancePath} ${error?.message}`);
  }
}

function mustBeReadable(events: readonly Event[]): void {
  const found = events.find(({ unreadable }) => unreadable);
  if (found) throw new UnreadableEvent(found, found.unreadable!);
}
