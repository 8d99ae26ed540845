import { LRUCache } from 'lru-cache';
import type { Event } from '#libs/kernel/event.js';

/** How many events one process keeps opened, and how many of one stream. */
const EVENTS_MAX = 20_000;
const STREAM_EVENTS_MAX = 1_000;

/** Streams as they were read, opened; the ones that were asked for longest ago go first, and all when a key was destroyed. */
export class KeptStreams {
  private readonly streams = new LRUCache<string, readonly Event[]>({
    maxSize: EVENTS_MAX,
    maxEntrySize: STREAM_EVENTS_MAX,
    sizeCalculation: ({ length }) => length,
  });
  private generation = 0;

  /** What is known of a stream from its first event on. */
  get(stream: string, generation: number): readonly Event[] {
    if (generation !== this.generation) this.streams.clear();
    this.generation = generation;
    return this.streams.get(stream) ?? [];
  }

  /** `generation` is that of the keys before the events were opened. */
  put(stream: string, events: readonly Event[], generation: number): void {
    if (generation === this.generation && events.length > 0) this.streams.set(stream, events);
  }
}
