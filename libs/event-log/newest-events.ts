import { addToList } from '#libs/kernel/list-map.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import type { Position, Revision, StoredEvent } from '#libs/kernel/event.js';
import type { EventPage } from './event-log.port.js';

const EVENTS_MAX = 4_000;
const CHARACTERS_MAX = 16_000_000;

interface CacheEntry {
  readonly event: StoredEvent;
  readonly characters: number;
}

/** Newest events of the log without gaps. Evicts the oldest. */
export class NewestEvents {
  private entries: CacheEntry[] = [];
  private first = 0;
  private characters = 0;
  private readonly streams = new Map<string, StoredEvent[]>();

  constructor(
    private from: Position,
    private readonly eventsMax = EVENTS_MAX,
  ) {}

  put(event: StoredEvent, characters = estimateLength(event.data) + estimateLength(event.authorization)): void {
    this.entries.push({ event, characters });
    this.characters += characters;
    addToList(this.streams, event.stream, event);
    while (this.count > this.eventsMax || this.characters > CHARACTERS_MAX) this.drop();
  }

  /** `upTo`: position up to which no event is missing. Returns null if events after `after` were evicted. */
  page(upTo: Position, after: Position, limit: number, types?: readonly string[]): EventPage | null {
    if (after < this.from) return null;
    const events: StoredEvent[] = [];
    for (let at = this.indexAfter(after); at < this.entries.length && events.length < limit; at += 1) {
      const { event } = this.entries[at]!;
      if (!types || types.includes(event.type)) events.push(event);
    }
    return { events, next: events.length === limit ? events.at(-1)!.position : upTo };
  }

  ofStream(stream: string, from: Revision): StoredEvent[] | null {
    const events = this.streams.get(stream);
    if (!events || events[0]!.revision > from) return null;
    return events.slice(from - events[0]!.revision);
  }

  get last(): StoredEvent | undefined {
    return this.entries.at(-1)?.event;
  }

  private get count(): number {
    return this.entries.length - this.first;
  }

  private drop(): void {
    const { event, characters } = this.entries[this.first]!;
    this.from = event.position;
    this.characters -= characters;
    const ofStream = this.streams.get(event.stream)!;
    if (ofStream.length > 1) ofStream.shift();
    else this.streams.delete(event.stream);
    this.first += 1;
    if (this.first < this.eventsMax) return;
    this.entries = this.entries.slice(this.first);
    this.first = 0;
  }

  private indexAfter(after: Position): number {
    let [low, high] = [this.first, this.entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.entries[middle]!.event.position > after) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

export function estimateLength(value: Json): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  let sum = 2;
  for (const each of Object.values(value as JsonObject)) sum += 8 + estimateLength(each);
  return sum;
}
