import type { Revision } from '#libs/kernel/event.js';
import type { Sqlite, Statement } from '#libs/sqlite/open.js';

/** How many streams are remembered. */
const STREAMS_MAX = 50_000;
/** How many turns of promises one look at the counter is good for, at most. */
const TURNS = 16;
const TURN = Promise.resolve();

/**
 * The last revisions of streams, so that looking for news where there is none costs no query. What this process writes
 * it knows; what another one writes changes a counter that SQLite keeps (see `Wakes`), and then nothing is known any
 * more. The counter is looked at in each callback of the event loop, and again behind a query: what is answered from
 * here is never older than what the request was sent after, or than what was read before it.
 */
export class Heads {
  private readonly revisions = new Map<string, Revision>();
  private readonly counter: Statement<[number]>;
  private version: number | undefined;
  private isChecked = false;

  constructor(writer: Sqlite) {
    this.counter = writer.prepare<[number]>('PRAGMA data_version');
  }

  /** Whether it is known that the stream has no event from a revision on. */
  endsBefore(stream: string, from: Revision): boolean {
    if (!this.knows(stream, from)) return false;
    this.check();
    return this.knows(stream, from);
  }

  /** The log itself was asked: what is known here may be older than its answer. */
  queried(): void {
    this.isChecked = false;
  }

  /** -1 for a stream without events. */
  note(stream: string, revision: Revision): void {
    if (this.revisions.size >= STREAMS_MAX) this.revisions.clear();
    this.revisions.set(stream, revision);
  }

  forget(stream: string): void {
    this.revisions.delete(stream);
  }

  private knows(stream: string, from: Revision): boolean {
    const last = this.revisions.get(stream);
    return last !== undefined && last < from;
  }

  private check(): void {
    if (this.isChecked) return;
    const version = this.counter.one()?.[0];
    if (version !== this.version) this.revisions.clear();
    this.version = version;
    this.isChecked = true;
    void this.untilCallbackEnds();
  }

  /** For some turns of the promises that this callback goes on with: all of them run before the next callback. */
  private async untilCallbackEnds(): Promise<void> {
    for (let turns = 0; turns < TURNS; turns += 1) await TURN;
    this.isChecked = false;
  }
}
