import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { Unavailable } from '#libs/kernel/refusal.js';
import { DamagedFile, fileFaultOf, isBusy, isOutage, RESULT, resultOf, storeUnavailable } from './faults.js';

export const BUSY_TIMEOUT_MS = 5_000;
const RETRY_MS = 2;
const OPEN_TRIES_MAX = 100;
const OPEN_WAIT_MS = 20;
const CACHE_KIB = 16_384;
const WAL_PAGES_MAX = 4_000;

interface SqliteOptions {
  readonly component: string;
  /** FULL syncs every commit, NORMAL only checkpoints. */
  readonly synchronous: 'FULL' | 'NORMAL';
  readonly schema?: string;
  /** Overwrites deleted data, and keeps the journal of a large statement in memory instead of a temporary file. */
  readonly isSecret?: boolean;
  readonly busyTimeoutMs?: number;
  /** For new files. Small rows need small pages, because whole pages are written. */
  readonly pageBytes?: number;
  /**
   * Bytes read through a memory map, which survives commits of other connections, unlike the page cache. An unreadable
   * page then ends the process.
   */
  readonly mappedBytes?: number;
}

export type SqlParameter = string | number | null | Uint8Array;

/** Rows are arrays in column order. */
export interface Statement<Row extends unknown[]> {
  one(...params: SqlParameter[]): Row | undefined;
  all(...params: SqlParameter[]): Row[];
  run(...params: SqlParameter[]): number;
  insert(...params: SqlParameter[]): number;
}

export class Sqlite {
  private static readonly opened = new Set<Sqlite>();
  /** Called when this thread finds damage. */
  static onDamage: (file: string, details: string) => void = () => undefined;
  /** Once a damaged page was read, every call fails: a write could make it worse, and be lost with it. */
  private damage: DamagedFile | undefined;

  private constructor(
    private readonly database: DatabaseSyncInstance,
    private readonly file: string,
    readonly component: string,
    private readonly busyTimeoutMs: number,
  ) {
    Sqlite.opened.add(this);
  }

  /** Ends the use of the file by this thread. */
  static markDamaged(file: string, details: string): void {
    for (const each of Sqlite.opened) if (each.file === file) each.damage ??= new DamagedFile(details);
  }

  static open(file: string, options: SqliteOptions): Sqlite {
    for (let tries = 1; ; tries += 1) {
      try {
        return Sqlite.tryOpen(file, options);
      } catch (error) {
        // Switching to WAL takes a lock without waiting, so concurrent starts collide here.
        if (tries >= OPEN_TRIES_MAX || !isBusy(error)) throw storeUnavailable(options.component, error);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, OPEN_WAIT_MS);
      }
    }
  }

  /** Opens a file for a store that prepares its statements at once. Refuses a file whose tables they do not fit. */
  static load<T>(file: string, options: SqliteOptions, build: (opened: Sqlite) => T): T {
    const opened = Sqlite.open(file, options);
    try {
      return build(opened);
    } catch (error) {
      opened.close();
      throw resultOf(error) === RESULT.error ? storeUnavailable(options.component, error) : error;
    }
  }

  private static tryOpen(file: string, options: SqliteOptions): Sqlite {
    mkdirSync(dirname(file), { recursive: true });
    createPrivateFile(file);
    const { busyTimeoutMs = BUSY_TIMEOUT_MS } = options;
    const database = new DatabaseSync(file, { timeout: busyTimeoutMs, returnArrays: true });
    try {
      if (options.pageBytes) database.exec(`PRAGMA page_size = ${options.pageBytes}`);
      database.exec('PRAGMA journal_mode = WAL');
      database.exec(`PRAGMA synchronous = ${options.synchronous}; PRAGMA cache_size = -${CACHE_KIB}`);
      database.exec(`PRAGMA wal_autocheckpoint = ${WAL_PAGES_MAX}`);
      if (options.mappedBytes) database.exec(`PRAGMA mmap_size = ${options.mappedBytes}`);
      if (options.isSecret) database.exec('PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY');
      if (options.schema) database.exec(`BEGIN IMMEDIATE; ${options.schema}; COMMIT`);
      return new Sqlite(database, file, options.component, busyTimeoutMs);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /**
   * The driver binds numbers as floats, so an integer outside an INTEGER column needs a CAST. It would cut a text at NUL,
   * so a write of such a text throws an error, and a read finds none.
   */
  prepare<Row extends unknown[] = never>(sql: string): Statement<Row> {
    const statement = this.guard(() => this.database.prepare(sql));
    return {
      one: (...params) => this.guard(() => statement.get(...sought(params)) as Row | undefined),
      all: (...params) => this.guard(() => statement.all(...sought(params)) as Row[]),
      run: (...params) => this.guard(() => statement.run(...refuseNul(params)).changes),
      insert: (...params) => this.guard(() => Number(statement.run(...refuseNul(params)).lastInsertRowid)),
    };
  }

  exec(sql: string): void {
    this.guard(() => this.database.exec(sql));
  }

  /** Runs `work`, which must be synchronous, in a transaction that holds the write lock. */
  write<T>(work: () => T): T {
    this.exec('BEGIN IMMEDIATE');
    return this.commitAfter(work);
  }

  /** Like `write`, but retries without blocking the thread. */
  async writeWhenUnlocked<T>(work: () => T): Promise<T> {
    const deadline = performance.now() + this.busyTimeoutMs;
    while (!this.tryBegin(performance.now() >= deadline)) await pause(RETRY_MS);
    return this.commitAfter(work);
  }

  private tryBegin(isLast: boolean): boolean {
    try {
      this.withoutWaiting(() => this.exec('BEGIN IMMEDIATE'));
      return true;
    } catch (error) {
      if (!isLast && error instanceof Unavailable && isBusy(error.cause)) return false;
      throw error;
    }
  }

  private withoutWaiting<T>(work: () => T): T {
    this.exec('PRAGMA busy_timeout = 0');
    try {
      return work();
    } finally {
      this.exec(`PRAGMA busy_timeout = ${this.busyTimeoutMs}`);
    }
  }

  private commitAfter<T>(work: () => T): T {
    try {
      const result = work();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      // Not `exec`, which a damaged file refuses.
      if (this.database.isTransaction) this.database.exec('ROLLBACK');
      throw error;
    }
  }

  /** Reads every page. Throws `Unavailable` if one is damaged. Files larger than `bytesMax` are not checked. */
  check(bytesMax = Infinity): void {
    const size = this.prepare<[number]>('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size');
    if (size.one()![0] > bytesMax) return;
    const [result] = this.prepare<[string]>('PRAGMA quick_check(1)').one()!;
    if (result !== 'ok') throw this.reportDamage(result);
  }

  /** For rows that the caller cannot decode. Every later call fails too. */
  reportDamage(details: unknown): Unavailable {
    Sqlite.markDamaged(this.file, String(details));
    Sqlite.onDamage(this.file, String(details));
    return storeUnavailable(this.component, this.damage);
  }

  /** Truncates the write-ahead log. Returns false if a reader is in the way or the file is not writable. */
  tryCheckpoint(): boolean {
    const truncate = () => this.prepare<[number]>('PRAGMA wal_checkpoint(TRUNCATE)').one()?.[0] === 0;
    return orIfUnavailable(() => this.withoutWaiting(truncate), false);
  }

  async checkpointWhenUnlocked(): Promise<boolean> {
    const deadline = performance.now() + this.busyTimeoutMs;
    while (!this.tryCheckpoint()) {
      if (performance.now() >= deadline) return false;
      await pause(RETRY_MS);
    }
    return true;
  }

  close(): void {
    Sqlite.opened.delete(this);
    if (!this.database.isOpen) return;
    // Prepared statements keep the file open until they are collected, so the log is truncated here.
    this.tryCheckpoint();
    this.database.close();
  }

  private guard<T>(work: () => T): T {
    if (this.damage !== undefined) throw storeUnavailable(this.component, this.damage);
    try {
      return work();
    } catch (error) {
      if (fileFaultOf(error) === 'damaged') throw this.reportDamage(error);
      if (isOutage(error)) throw storeUnavailable(this.component, error);
      throw error;
    }
  }
}

/**
 * Creates a file for its owner only. Never opens an existing one: closing any descriptor drops every POSIX lock of this
 * process on the file, and another process could then delete the write-ahead log.
 */
function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

export function orIfUnavailable<T>(work: () => T, fallback: T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Unavailable) return fallback;
    throw error;
  }
}

const hasNul = (value: SqlParameter): value is string => typeof value === 'string' && value.includes('\0');

function refuseNul(params: SqlParameter[]): SqlParameter[] {
  if (params.some(hasNul)) throw new Error('A text for SQLite holds a NUL character.');
  return params;
}

/** A blob equals no text. */
const sought = (params: SqlParameter[]): SqlParameter[] =>
  params.some(hasNul) ? params.map(value => (hasNul(value) ? Buffer.from(value) : value)) : params;
