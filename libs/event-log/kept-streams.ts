import type { Event } from '#libs/kernel/event.js';

/** How many events one process keeps opened, and how many of one stream. */
const EVENTS_MAX = 20_000;
const STREAM_EVENTS_MAX = 1_000;

/** Streams as they were read, opened, the ones that were asked for longest ago go first; all of them when a key was destroyed. */
export class KeptStreams {
  private readonly streams = new Map<string, readonly Event[]>();
  private events = 0;
  private generation = 0;

  /** What is known of a stream from its first event on. */
  get(stream: string, generation: number): readonly Event[] {
    if (generation !== this.generation) this.clear(generation);
    return this.streams.get(stream) ?? [];
  }

  /** `generation` is that of the keys before the events were opened. */
  put(stream: string, events: readonly Event[], generation: number): void {
    if (generation !== this.generation) return;
    this.remove(stream);
    if (events.length === 0 || events.length > STREAM_EVENTS_MAX) return;
    this.streams.set(stream, events);
    this.events += events.length;
    for (const oldest of this.streams.keys()) {
      if (this.events <= EVENTS_MAX) return;
      this.remove(oldest);
    }
  }

  private remove(stream: string): void {
    this.events -= this.streams.get(stream)?.length ?? 0;
    this.streams.delete(stream);
  }

  private clear(generation: number): void {
    this.streams.clear();
    this.events = 0;
    this.generation = generation;
  }
}
