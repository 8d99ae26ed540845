import type { Revision, StoredEvent } from '#libs/kernel/event.js';

/** How many ids are kept, of all streams together: some 20 MB. */
const IDS_MAX = 200_000;

/**
 * The ids of streams from their first event on, as far as they have been read here. An event is for ever, so what is
 * known stays true. Streams that were not touched for longest are forgotten first.
 */
export class StreamIdCache {
  private readonly streams = new Map<string, Map<string, Revision>>();
  private total = 0;

  constructor(private readonly idsMax = IDS_MAX) {}

  /** Up to which revision the stream's ids are known, counted from 0: the first that is not. */
  end(stream: string): Revision {
    return this.streams.get(stream)?.size ?? 0;
  }

  /** The revision of an event that is known to stand in the stream. */
  revision(stream: string, id: string): Revision | undefined {
    return this.streams.get(stream)?.get(id);
  }

  /** Takes in events that follow one another; those behind a gap are of no use. */
  note(stream: string, events: readonly StoredEvent[]): void {
    const ids = this.streams.get(stream) ?? new Map<string, Revision>();
    this.total -= ids.size;
    for (const { id, revision } of events) if (revision === ids.size) ids.set(id, revision);
    this.total += ids.size;
    this.streams.delete(stream);
    if (ids.size > 0) this.streams.set(stream, ids);
    this.forget(stream);
  }

  private forget(except: string): void {
    for (const [stream, ids] of this.streams) {
      if (this.total <= this.idsMax || stream === except) return;
      this.streams.delete(stream);
      this.total -= ids.size;
    }
  }
}
