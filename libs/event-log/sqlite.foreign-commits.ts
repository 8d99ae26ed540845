import type { Sqlite, Statement } from '#libs/platform/sqlite/sqlite.js';

/**
 * Commits of others to the file: they change a counter that SQLite keeps (`PRAGMA data_version` on the writing
 * connection), which the connection's own leave alone.
 */
export class ForeignCommits {
  private readonly counter: Statement<[number]>;
  private seen: number | undefined;

  constructor(writer: Sqlite) {
    this.counter = writer.prepare<[number]>('PRAGMA data_version');
    this.seen = this.read();
  }

  /** Whether there was any since it was asked last, or made. Throws `Unavailable`, and has then not been asked. */
  hasNew(): boolean {
    const now = this.read();
    const isOther = now !== this.seen;
    this.seen = now;
    return isOther;
  }

  private read(): number | undefined {
    return this.counter.one()?.[0];
  }
}
