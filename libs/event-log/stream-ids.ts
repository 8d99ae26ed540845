import type { Event, Revision } from '#libs/kernel/event.js';
import { deriveEventId } from '#libs/kernel/ids.js';

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
