import { GroupCommit } from '#libs/platform/sqlite/group-commit.js';
import { Sqlite } from '#libs/platform/sqlite/sqlite.js';
import type { Coordination, Count } from './port.js';

const PAGE_BYTES = 1_024;
/** Rows in insertion order, so that entries of the same moment share pages. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS entries (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_at INTEGER NOT NULL);
  CREATE INDEX IF NOT EXISTS entries_by_end ON entries (expires_at);`;

/**
 * Shared state in one SQLite file that is not synced at each commit. `synchronous=OFF` would save nothing, and a power
 * cut could damage the file.
 */
export class SqliteCoordination implements Coordination {
  private readonly statements;
  private readonly group: GroupCommit;

  private constructor(private readonly file: Sqlite) {
    this.statements = prepare(file);
    this.group = new GroupCommit(file);
  }

  static open(file: string): SqliteCoordination {
    const options = {
      component: 'The shared state',
      synchronous: 'NORMAL',
      schema: SCHEMA,
      pageBytes: PAGE_BYTES,
    } as const;
    return Sqlite.load(file, options, opened => new SqliteCoordination(opened));
  }

  check(bytesMax?: number): void {
    this.file.check(bytesMax);
  }

  async get(key: string, now: number): Promise<string | undefined> {
    return this.value(key, now);
  }

  putIfAbsent(key: string, value: string, expiresAt: number, now: number): Promise<string | undefined> {
    return this.group.run(() => {
      const isFree = this.statements.put.run(escapeNul(key), escapeNul(value), expiresAt, now) === 1;
      return isFree ? undefined : this.value(key, now);
    });
  }

  compareAndSet(key: string, expected: string, value: string | null, expiresAt: number, now: number): Promise<boolean> {
    const { replace, remove } = this.statements;
    const entry = [escapeNul(key), escapeNul(expected), now] as const;
    return this.group.run(() => {
      const changed = value === null ? remove.run(...entry) : replace.run(escapeNul(value), expiresAt, ...entry);
      return changed === 1;
    });
  }

  add(key: string, amount: number, expiresAt: number, now: number): Promise<Count> {
    return this.group.run(() => toCount(this.statements.add.one(escapeNul(key), amount, expiresAt, now)!));
  }

  async getCount(key: string, now: number): Promise<Count | undefined> {
    const row = this.statements.count.one(escapeNul(key), now);
    return row && toCount(row);
  }

  sweep(now: number, limit: number): Promise<number> {
    return this.group.run(() => this.statements.sweep.run(now, limit));
  }

  async close(): Promise<void> {
    this.group.close();
    this.file.close();
  }

  private value(key: string, now: number): string | undefined {
    const row = this.statements.find.one(escapeNul(key), now);
    return row && unescapeNul(row[0]);
  }
}

const toCount = ([sum, endsAt]: [string, number]): Count => ({ sum: Number(sum), endsAt });

/** The driver stores no text with NUL. */
const escapeNul = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\0', '\\0');
const unescapeNul = (text: string) => text.replace(/\\(.)/g, (_all, code) => (code === '0' ? '\0' : '\\'));

function prepare(file: Sqlite) {
  return {
    find: file.prepare<[string]>('SELECT value FROM entries WHERE key = ? AND expires_at > ?'),
    count: file.prepare<[string, number]>('SELECT value, expires_at FROM entries WHERE key = ? AND expires_at > ?'),
    put: file.prepare(
      `INSERT INTO entries (key, value, expires_at) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at WHERE expires_at <= ?`,
    ),
    replace: file.prepare(
      'UPDATE entries SET value = ?, expires_at = ? WHERE key = ? AND value = ? AND expires_at > ?',
    ),
    remove: file.prepare('DELETE FROM entries WHERE key = ? AND value = ? AND expires_at > ?'),
    add: file.prepare<[string, number]>(
      `INSERT INTO entries (key, value, expires_at) VALUES (?1, CAST(?2 AS INTEGER), ?3)
        ON CONFLICT DO UPDATE SET
          value = CASE WHEN expires_at > ?4 THEN value + CAST(?2 AS INTEGER) ELSE excluded.value END,
          expires_at = CASE WHEN expires_at > ?4 THEN min(expires_at, excluded.expires_at) ELSE excluded.expires_at END
        RETURNING value, expires_at`,
    ),
    sweep: file.prepare('DELETE FROM entries WHERE key IN (SELECT key FROM entries WHERE expires_at <= ? LIMIT ?)'),
  };
}
