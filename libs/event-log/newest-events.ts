import type { Json, JsonObject } from '#libs/kernel/json.js';
import type { Position, Revision, StoredEvent } from '#libs/kernel/event.js';
import type { EventPage } from './event-log.port.js';

/** How many events are kept, and how many characters of theirs: a projector that is further behind reads pages. */
const EVENTS_MAX = 4_000;
const CHARACTERS_MAX = 16_000_000;

interface CacheEntry {
  readonly event: StoredEvent;
  readonly characters: number;
}

/** The newest events of the whole log, without a gap; the oldest of them go first. */
export class NewestEvents {
  private kept: CacheEntry[] = [];
  /** Where the oldest that is kept stands among them. */
  private first = 0;
  private characters = 0;
  private readonly streams = new Map<string, StoredEvent[]>();

  /** `from`: behind which position every event is kept. */
  constructor(
    private from: Position,
    private readonly eventsMax = EVENTS_MAX,
  ) {}

  /** `characters`: about how long it is. */
  put(event: StoredEvent, characters = estimateLength(event.data) + estimateLength(event.authorization)): void {
    this.kept.push({ event, characters });
    this.characters += characters;
    const ofStream = this.streams.get(event.stream);
    if (ofStream) ofStream.push(event);
    else this.streams.set(event.stream, [event]);
    while (this.count > this.eventsMax || this.characters > CHARACTERS_MAX) this.drop();
  }

  /** At most so many behind a position, of the types alone where they are named; null where some are not kept any more. */
  after(after: Position, limit: number, types?: readonly string[]): StoredEvent[] | null {
    if (after < this.from) return null;
    const found: StoredEvent[] = [];
    for (let at = this.indexBehind(after); at < this.kept.length && found.length < limit; at += 1) {
      const { event } = this.kept[at]!;
      if (!types || types.includes(event.type)) found.push(event);
    }
    return found;
  }

  /** The same as a page of a log that is known up to a position. */
  page(upTo: Position, after: Position, limit: number, types?: readonly string[]): EventPage | null {
    const events = this.after(after, limit, types);
    return events && { events, next: events.length === limit ? events.at(-1)!.position : upTo };
  }

  /** A stream's events from a revision on; null where the first of them is not kept. */
  ofStream(stream: string, from: Revision): StoredEvent[] | null {
    const events = this.streams.get(stream);
    if (!events || events[0]!.revision > from) return null;
    return events.slice(from - events[0]!.revision);
  }

  private get count(): number {
    return this.kept.length - this.first;
  }

  private drop(): void {
    const { event, characters } = this.kept[this.first]!;
    this.from = event.position;
    this.characters -= characters;
    const ofStream = this.streams.get(event.stream)!;
    if (ofStream.length > 1) ofStream.shift();
    else this.streams.delete(event.stream);
    this.first += 1;
    if (this.first < this.eventsMax) return;
    this.kept = this.kept.slice(this.first);
    this.first = 0;
  }

  private indexBehind(after: Position): number {
    let [low, high] = [this.first, this.kept.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.kept[middle]!.event.position > after) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** About how long a value is as JSON. */
export function estimateLength(value: Json): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  let sum = 2;
  for (const each of Object.values(value as JsonObject)) sum += 8 + estimateLength(each);
  return sum;
}
