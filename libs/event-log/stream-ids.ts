import type { Event, Revision } from '#libs/kernel/event.js';
import { deriveEventId } from '#libs/kernel/ids.js';

/**
 * The ids of a stream's events up to one of them: what tells whether a request has been carried out, without the events
 * themselves. Looks at one stream at different revisions share what they know.
 */
export class StreamIds {
  private constructor(
    /** Of its events; more than `size` where another look has gone on. */
    private readonly revisions: Map<string, Revision>,
    private readonly types: Set<string>,
    /** How many events they are: revisions are counted from 0. */
    readonly size: number,
  ) {}

  static none(): StreamIds {
    return new StreamIds(new Map(), new Set(), 0);
  }

  /** With the events behind those that are known. */
  with(events: readonly Event[]): StreamIds {
    for (const { id, type, revision } of events) {
      this.revisions.set(id, revision);
      this.types.add(type);
    }
    return new StreamIds(this.revisions, this.types, this.size + events.length);
  }

  /** Where an event stands in the stream. */
  revision(id: string): Revision | undefined {
    const revision = this.revisions.get(id);
    return revision !== undefined && revision < this.size ? revision : undefined;
  }

  /** Where the events stand that a request has written: those whose ids are derived from it, oldest first. */
  findRequestRevisions(stream: string, requestKey: string): Revision[] {
    return [...this.types].flatMap(type => this.ownOf(stream, requestKey, type)).sort((a, b) => a - b);
  }

  private ownOf(stream: string, requestKey: string, type: string): Revision[] {
    const found: Revision[] = [];
    for (;;) {
      const revision = this.revision(deriveEventId(requestKey, stream, type, found.length));
      if (revision === undefined) return found;
      found.push(revision);
    }
  }
}
