import { GroupCommit } from '#libs/platform/sqlite/group-commit.js';
import { Sqlite } from '#libs/platform/sqlite/sqlite.js';
import type { VaultEntry, Vault } from './port.js';

const COMPONENT = 'The vault';
const OVERWRITE_MS = 1_000;
const SCHEMA = 'CREATE TABLE IF NOT EXISTS keys (name TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID';
const LAST_CHARACTER = '\u{10ffff}';

/** Vault in its own SQLite file, readable by its owner only. Overwrites deleted values. */
export class SqliteVault implements Vault {
  private readonly statements;
  private readonly group: GroupCommit;
  private readonly timer: NodeJS.Timeout;
  /** After a crash the write-ahead log may hold destroyed keys. */
  private needsOverwrite = true;

  private constructor(private readonly file: Sqlite) {
    this.statements = prepare(file);
    this.group = new GroupCommit(file);
    this.timer = setInterval(() => this.overwrite(), OVERWRITE_MS).unref();
  }

  static open(file: string, busyTimeoutMs?: number): SqliteVault {
    const options = {
      component: COMPONENT,
      synchronous: 'FULL',
      isSecret: true,
      schema: SCHEMA,
      busyTimeoutMs,
    } as const;
    return Sqlite.load(file, options, opened => new SqliteVault(opened));
  }

  async get(name: string): Promise<VaultEntry | undefined> {
    return this.readEntry(name);
  }

  async getMany(names: readonly string[]): Promise<ReadonlyMap<string, VaultEntry>> {
    const entries = new Map<string, VaultEntry>();
    for (const name of names) {
      const entry = this.readEntry(name);
      if (entry !== undefined) entries.set(name, entry);
    }
    return entries;
  }

  async putIfAbsent(name: string, value: Uint8Array): Promise<VaultEntry> {
    return this.readEntry(name) ?? (await this.group.run(() => this.put(name, value)));
  }

  async replace(name: string, value: Uint8Array): Promise<void> {
    await this.group.run(() => this.statements.replace.run(name, value));
  }

  async destroy(name: string): Promise<void> {
    await this.group.run(() => this.statements.destroy.run(name));
    this.needsOverwrite = !(await this.file.checkpointWhenUnlocked());
  }

  async list(prefix: string, limit: number, after = ''): Promise<string[]> {
    return this.statements.list.all(prefix, prefix + LAST_CHARACTER, after, limit).flat();
  }

  check(bytesMax?: number): void {
    this.file.check(bytesMax);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.group.close();
    this.file.close();
  }

  private overwrite(): void {
    if (this.needsOverwrite) this.needsOverwrite = !this.file.tryCheckpoint();
  }

  private put(name: string, value: Uint8Array): VaultEntry {
    this.statements.put.run(name, value);
    return this.readEntry(name)!;
  }

  private readEntry(name: string): VaultEntry | undefined {
    const row = this.statements.find.one(name);
    return row && (row[0] ?? 'destroyed');
  }
}

function prepare(file: Sqlite) {
  return {
    find: file.prepare<[Uint8Array | null]>('SELECT value FROM keys WHERE name = ?'),
    put: file.prepare('INSERT INTO keys (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING'),
    replace: file.prepare(
      `INSERT INTO keys (name, value) VALUES (?, ?)
       ON CONFLICT DO UPDATE SET value = excluded.value WHERE value IS NOT NULL`,
    ),
    destroy: file.prepare('INSERT INTO keys (name, value) VALUES (?, NULL) ON CONFLICT DO UPDATE SET value = NULL'),
    list: file.prepare<[string]>(
      `SELECT name FROM keys WHERE name >= ? AND name < ? AND name > ? AND value IS NOT NULL ORDER BY name LIMIT ?`,
    ),
  };
}
