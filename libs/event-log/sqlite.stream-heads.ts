import { setImmediate as turn } from 'node:timers/promises';
import type { Revision } from '#libs/kernel/event.js';
import type { Sqlite } from '#libs/platform/sqlite/sqlite.js';
import { ForeignCommits } from './sqlite.foreign-commits.js';

const STREAMS_MAX = 50_000;

/**
 * Last revisions of streams, so that checking a stream for new events needs no query. Cleared when another process has
 * written, which is checked at most once per turn of the event loop.
 */
export class StreamHeads {
  private readonly revisions = new Map<string, Revision>();
  private readonly foreign: ForeignCommits;
  private refreshing: Promise<void> | null = null;

  constructor(writer: Sqlite) {
    this.foreign = new ForeignCommits(writer);
  }

  async endsBefore(stream: string, from: Revision): Promise<boolean> {
    if (!this.knowsEndBefore(stream, from)) return false;
    await this.refresh();
    return this.knowsEndBefore(stream, from);
  }

  /** Resolves once commits of other processes up to this call are considered. */
  refresh(): Promise<void> {
    return (this.refreshing ??= turn().then(() => this.clearAfterForeignCommit()));
  }

  knowsEndBefore(stream: string, from: Revision): boolean {
    const last = this.revisions.get(stream);
    return last !== undefined && last < from;
  }

  note(stream: string, revision: Revision): void {
    if (this.revisions.size >= STREAMS_MAX) this.revisions.clear();
    this.revisions.set(stream, revision);
  }

  forget(stream: string): void {
    this.revisions.delete(stream);
  }

  private clearAfterForeignCommit(): void {
    this.refreshing = null;
    if (this.foreign.hasNew()) this.revisions.clear();
  }
}
