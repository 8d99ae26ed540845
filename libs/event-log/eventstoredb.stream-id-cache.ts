import type { Revision, StoredEvent } from '#libs/kernel/event.js';

/** Across all streams; about 20 MB. */
const IDS_MAX = 200_000;

/**
 * Ids of streams from their first event on. Events are immutable, so entries stay valid. Evicts the least recently used
 * streams.
 */
export class StreamIdCache {
  private readonly streams = new Map<string, Map<string, Revision>>();
  private total = 0;

  constructor(private readonly idsMax = IDS_MAX) {}

  end(stream: string): Revision {
    return this.streams.get(stream)?.size ?? 0;
  }

  revision(stream: string, id: string): Revision | undefined {
    return this.streams.get(stream)?.get(id);
  }

  note(stream: string, events: readonly StoredEvent[]): void {
    const ids = this.streams.get(stream) ?? new Map<string, Revision>();
    this.total -= ids.size;
    for (const { id, revision } of events) if (revision === ids.size) ids.set(id, revision);
    this.total += ids.size;
    this.streams.delete(stream);
    if (ids.size > 0) this.streams.set(stream, ids);
    this.evict(stream);
  }

  private evict(except: string): void {
    for (const [stream, ids] of this.streams) {
      if (this.total <= this.idsMax || stream === except) return;
      this.streams.delete(stream);
      this.total -= ids.size;
    }
  }
}
