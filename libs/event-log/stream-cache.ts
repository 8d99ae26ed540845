import { LRUCache } from 'lru-cache';
import type { Entity } from '#libs/kernel/decide.js';
import type { Position } from '#libs/kernel/event.js';
import type { StreamIds } from './stream-ids.js';

/** How many streams one process keeps, and how many ids of events in all of them: some 25 MB of those. */
const STREAMS_MAX = 20_000;
const IDS_MAX = 250_000;

/** A stream as far as it was read: what follows from its events, and not the events. */
export interface FoldedStream<S> {
  readonly entity: Entity<S>;
  readonly state: S;
  readonly ids: StreamIds;
  /** Where its last event stands. */
  readonly position: Position;
}

/** Streams as they were folded; the ones that were asked for longest ago go first, and all when a key was destroyed. */
export class StreamCache {
  private readonly streams = new LRUCache<string, FoldedStream<unknown>>({
    max: STREAMS_MAX,
    maxSize: IDS_MAX,
    sizeCalculation: ({ ids }) => ids.size,
  });
  private generation = 0;

  /** What is known of a stream from its first event on, folded as the entity says. */
  get<S>(stream: string, entity: Entity<S>, generation: number): FoldedStream<S> | undefined {
    if (generation !== this.generation) this.streams.clear();
    this.generation = generation;
    const kept = this.streams.get(stream);
    return kept?.entity === entity ? (kept as FoldedStream<S>) : undefined;
  }

  /** `generation` is that of the keys before the events were opened. What another look has read further stays. */
  put<S>(stream: string, folded: FoldedStream<S>, generation: number): void {
    if (generation !== this.generation) return;
    const kept = this.streams.peek(stream);
    if (kept?.entity === folded.entity && kept.ids.size >= folded.ids.size) return;
    this.streams.set(stream, folded);
  }
}
