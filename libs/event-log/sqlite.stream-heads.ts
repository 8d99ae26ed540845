import { setImmediate as turn } from 'node:timers/promises';
import type { Revision } from '#libs/kernel/event.js';
import type { Sqlite } from '#libs/platform/sqlite/sqlite.js';
import { ForeignCommits } from './sqlite.foreign-commits.js';

/** How many streams are remembered. */
const STREAMS_MAX = 50_000;

/**
 * The last revisions of streams, so that looking for news where there is none costs no query. What this process writes
 * it knows; once another one has written nothing is known any more. That is looked at behind every question, once for
 * all that come in one turn of the event loop: what is answered from here is never older than what was asked.
 */
export class StreamHeads {
  private readonly revisions = new Map<string, Revision>();
  private readonly foreign: ForeignCommits;
  private looking: Promise<void> | null = null;

  constructor(writer: Sqlite) {
    this.foreign = new ForeignCommits(writer);
  }

  /** Whether it is known that the stream has no event from a revision on. */
  async endsBefore(stream: string, from: Revision): Promise<boolean> {
    if (!this.knows(stream, from)) return false;
    await this.looked();
    return this.knows(stream, from);
  }

  /** Behind it, what is known is no older than it was asked for. */
  looked(): Promise<void> {
    return (this.looking ??= turn().then(() => this.look()));
  }

  /** As `endsBefore`, as it was looked at last. */
  knows(stream: string, from: Revision): boolean {
    const last = this.revisions.get(stream);
    return last !== undefined && last < from;
  }

  /** -1 for a stream without events. */
  note(stream: string, revision: Revision): void {
    if (this.revisions.size >= STREAMS_MAX) this.revisions.clear();
    this.revisions.set(stream, revision);
  }

  forget(stream: string): void {
    this.revisions.delete(stream);
  }

  private look(): void {
    this.looking = null;
    if (this.foreign.hasNew()) this.revisions.clear();
  }
}
