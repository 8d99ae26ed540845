import type { Sqlite, Statement } from '#libs/platform/sqlite/sqlite.js';

/** Detects commits of other connections: they change `PRAGMA data_version`, the connection's own do not. */
export class ForeignCommits {
  private readonly counter: Statement<[number]>;
  private lastCount: number | undefined;

  constructor(writer: Sqlite) {
    this.counter = writer.prepare<[number]>('PRAGMA data_version');
    this.lastCount = this.read();
  }

  hasNew(): boolean {
    const now = this.read();
    const hasChanged = now !== this.lastCount;
    this.lastCount = now;
    return hasChanged;
  }

  private read(): number | undefined {
    return this.counter.one()?.[0];
  }
}
