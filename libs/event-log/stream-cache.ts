import { LRUCache } from 'lru-cache';
import type { Entity } from '#libs/kernel/decide.js';
import type { Position } from '#libs/kernel/event.js';
import type { StreamIds } from './stream-ids.js';

const STREAMS_MAX = 20_000;
const IDS_MAX = 250_000;

export interface FoldedStream<S> {
  readonly entity: Entity<S>;
  readonly state: S;
  readonly ids: StreamIds;
  readonly position: Position;
}

/** Least recently used streams are evicted, and all of them when a key is destroyed. */
export class StreamCache {
  private readonly streams = new LRUCache<string, FoldedStream<unknown>>({
    max: STREAMS_MAX,
    maxSize: IDS_MAX,
    sizeCalculation: ({ ids }) => ids.size,
  });
  private generation = 0;

  get<S>(stream: string, entity: Entity<S>, generation: number): FoldedStream<S> | undefined {
    if (generation !== this.generation) this.streams.clear();
    this.generation = generation;
    const cached = this.streams.get(stream);
    return cached?.entity === entity ? (cached as FoldedStream<S>) : undefined;
  }

  /** `generation` of the keys before the events were decoded. Keeps a cached entry with more events. */
  put<S>(stream: string, folded: FoldedStream<S>, generation: number): void {
    if (generation !== this.generation) return;
    const cached = this.streams.peek(stream);
    if (cached?.entity === folded.entity && cached.ids.size >= folded.ids.size) return;
    this.streams.set(stream, folded);
  }
}
