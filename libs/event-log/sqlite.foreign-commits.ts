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
    const count = this.read();
    const hasChanged = count !== this.lastCount;
    this.lastCount = count;
    return hasChanged;
  }

  private read(): number | undefined {
    return this.counter.one()?.[0];
  }
}
