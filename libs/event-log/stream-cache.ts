import { LRUCache } from 'lru-cache';
import type { Entity } from '#libs/kernel/decide.js';
import type { Event, Position, Revision } from '#libs/kernel/event.js';
import { deriveEventId } from '#libs/kernel/ids.js';

const STREAMS_MAX = 20_000;
const IDS_MAX = 250_000;

/**
 * Event ids of a stream up to a revision, which show whether a request was carried out. Snapshots of a stream share one
 * map.
 */
export class StreamIds {
  private constructor(
    /** May contain events after `size`, added by a later snapshot. */
    private readonly revisions: Map<string, Revision>,
    private readonly types: Set<string>,
    readonly size: number,
  ) {}

  static none(): StreamIds {
    return new StreamIds(new Map(), new Set(), 0);
  }

  with(events: readonly Event[]): StreamIds {
    for (const { id, type, revision } of events) {
      this.revisions.set(id, revision);
      this.types.add(type);
    }
    return new StreamIds(this.revisions, this.types, this.size + events.length);
  }

  revision(id: string): Revision | undefined {
    const revision = this.revisions.get(id);
    return revision !== undefined && revision < this.size ? revision : undefined;
  }

  findRequestRevisions(stream: string, requestKey: string): Revision[] {
    return [...this.types].flatMap(type => this.listRevisions(stream, requestKey, type)).sort((a, b) => a - b);
  }

  private listRevisions(stream: string, requestKey: string, type: string): Revision[] {
    const revisions: Revision[] = [];
    for (;;) {
      const revision = this.revision(deriveEventId(requestKey, stream, type, revisions.length));
      if (revision === undefined) return revisions;
      revisions.push(revision);
    }
  }
}

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
