import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'libsql';
import { Unavailable } from '#libs/kernel/refusal.js';

/** How long a statement waits, blocking the process, while another process writes to the same file. */
export const BUSY_TIMEOUT_MS = 5_000;
/** How soon a write that does not block is tried again. */
const RETRY_MS = 2;
const OPEN_TRIES_MAX = 100;
const OPEN_WAIT_MS = 20;
const CACHE_KIB = 16_384;
/** How long the write-ahead log gets before it is moved into the file: pages that are written often are moved once. */
const WAL_PAGES_MAX = 4_000;

export interface SqliteOptions {
  /** What the file is to a reader of an error: `The event log`. */
  readonly what: string;
  /** FULL syncs every commit to disk, NORMAL only the checkpoints of the write-ahead log. */
  readonly synchronous: 'FULL' | 'NORMAL';
  /** Statements that make what is not there yet. */
  readonly schema?: string;
  /** Overwrites what is deleted; in the write-ahead log it stands until that is moved into the file. */
  readonly isSecret?: boolean;
  readonly busyTimeoutMs?: number;
  /** Of a file that is made now: what is written is whole pages, so small rows want small ones. SQLite's own is 4,096. */
  readonly pageBytes?: number;
  /**
   * How much of the file is read through a memory map. What such a connection keeps of the file is void with each commit
   * of another one; what is mapped is not. A page that the disk cannot read then ends the process.
   */
  readonly mappedBytes?: number;
}

export type SqlParameter = string | number | null | Uint8Array;

/** A statement that is prepared once. Rows are arrays in the order of the columns. */
export interface Statement<Row extends unknown[]> {
  one(...params: SqlParameter[]): Row | undefined;
  all(...params: SqlParameter[]): Row[];
  /** How many rows it changed. For statements that answer no rows. */
  run(...params: SqlParameter[]): number;
  /** The number of the row that it inserted. For statements that answer no rows. */
  insert(...params: SqlParameter[]): number;
}

/** Causes outside the statement: the disk, a lock, a closed or a damaged file. */
const OUTAGE = /^SQLITE_(BUSY|LOCKED|IOERR|FULL|CANTOPEN|PROTOCOL|READONLY|NOMEM|CORRUPT|NOTADB)|not open$/;

export type FileFault = 'full' | 'damaged' | 'foreign';
const FILE_FAULTS: readonly (readonly [code: RegExp, fault: FileFault, problem: string])[] = [
  [/^(SQLITE_FULL|ENOSPC|EDQUOT)/, 'full', 'cannot be written: its disk is full'],
  [/^SQLITE_CORRUPT/, 'damaged', 'is damaged'],
  [/^SQLITE_NOTADB/, 'foreign', 'is not a SQLite database'],
];

/** Returns the fault of the file itself, which no retry mends; undefined for every other outage. */
export const fileFaultOf = (error: unknown): FileFault | undefined => faultOf(error)?.[1];

const faultOf = (error: unknown) =>
  FILE_FAULTS.find(([code]) => code.test((error as { code?: string } | undefined)?.code ?? ''));

/** The outage of a store whose SQLite file failed with `cause`. */
export const storeUnavailable = (what: string, cause: unknown) => new Unavailable(what, { cause }, faultOf(cause)?.[2]);

/** One connection to one file in WAL mode. Several connections and processes may have the same file open. */
export class Sqlite {
  private constructor(
    private readonly database: Database.Database,
    readonly what: string,
    private readonly busyTimeoutMs: number,
  ) {}

  /** Opens the file, makes it and its folder where there is none. Throws `Unavailable`. */
  static open(file: string, options: SqliteOptions): Sqlite {
    for (let tries = 1; ; tries += 1) {
      try {
        return Sqlite.tryOpen(file, options);
      } catch (error) {
        // Changing a new file to WAL takes a lock that does not wait, so two processes that start at once meet here.
        if (tries >= OPEN_TRIES_MAX || !isBusy(error)) throw storeUnavailable(options.what, error);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, OPEN_WAIT_MS);
      }
    }
  }

  private static tryOpen(file: string, options: SqliteOptions): Sqlite {
    mkdirSync(dirname(file), { recursive: true });
    createPrivateFile(file);
    const { busyTimeoutMs = BUSY_TIMEOUT_MS } = options;
    const database = new Database(file, { timeout: busyTimeoutMs });
    try {
      if (options.pageBytes) database.exec(`PRAGMA page_size = ${options.pageBytes}`);
      database.prepare('PRAGMA journal_mode = WAL').all([]);
      database.exec(`PRAGMA synchronous = ${options.synchronous}; PRAGMA cache_size = -${CACHE_KIB}`);
      database.exec(`PRAGMA wal_autocheckpoint = ${WAL_PAGES_MAX}`);
      if (options.mappedBytes) database.exec(`PRAGMA mmap_size = ${options.mappedBytes}`);
      if (options.isSecret) database.prepare('PRAGMA secure_delete = ON').all([]);
      if (options.schema) database.exec(`BEGIN IMMEDIATE; ${options.schema}; COMMIT`);
      return new Sqlite(database, options.what, busyTimeoutMs);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /**
   * Prepares a statement. Parameters travel as one array, because the driver takes a single object, a `Buffer` among
   * them, for named parameters. It binds every number as a floating-point value: a column declared INTEGER turns it
   * back, anything else that has to be an integer needs a CAST.
   */
  prepare<Row extends unknown[] = never>(sql: string): Statement<Row> {
    const statement = this.guard(() => this.database.prepare<unknown[]>(sql));
    if (statement.reader) statement.raw();
    return {
      one: (...params) => this.guard(() => statement.get(params) as Row | undefined),
      all: (...params) => this.guard(() => statement.all(params) as Row[]),
      run: (...params) => this.guard(() => statement.run(params).changes),
      insert: (...params) => this.guard(() => Number(statement.run(params).lastInsertRowid)),
    };
  }

  /** Runs statements that answer nothing: definitions. */
  exec(sql: string): void {
    this.guard(() => this.database.exec(sql));
  }

  /** Runs `work` in one transaction that holds the file's write lock from its beginning. `work` must not await. */
  write<T>(work: () => T): T {
    this.exec('BEGIN IMMEDIATE');
    return this.commitAfter(work);
  }

  /** As `write`, but the thread goes on while somebody else writes to the file: it is tried again every few ms. */
  async writeWhenUnlocked<T>(work: () => T): Promise<T> {
    const end = performance.now() + this.busyTimeoutMs;
    while (!this.tryBegin(performance.now() >= end)) await pause(RETRY_MS);
    return this.commitAfter(work);
  }

  /** Begins a transaction without waiting; false where somebody else is writing, which throws at the last try. */
  private tryBegin(isLast: boolean): boolean {
    this.exec('PRAGMA busy_timeout = 0');
    try {
      this.exec('BEGIN IMMEDIATE');
      return true;
    } catch (error) {
      if (!isLast && error instanceof Unavailable && isBusy(error.cause)) return false;
      throw error;
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
      if (this.database.inTransaction) this.exec('ROLLBACK');
      throw error;
    }
  }

  /**
   * Moves the write-ahead log into the file and empties it, without waiting. Returns false while a reader or another
   * checkpoint is in the way, and if the file cannot be written.
   */
  tryCheckpoint(): boolean {
    this.exec('PRAGMA busy_timeout = 0');
    try {
      return orIfUnavailable(() => this.prepare<[number]>('PRAGMA wal_checkpoint(TRUNCATE)').one()?.[0] === 0, false);
    } finally {
      this.exec(`PRAGMA busy_timeout = ${this.busyTimeoutMs}`);
    }
  }

  /** Retries until no reader or other checkpoint is in the way. Returns false after the busy timeout. */
  async checkpointWhenUnlocked(): Promise<boolean> {
    const end = performance.now() + this.busyTimeoutMs;
    while (!this.tryCheckpoint()) {
      if (performance.now() >= end) return false;
      await pause(RETRY_MS);
    }
    return true;
  }

  /** Ends the connection. Idempotent. */
  close(): void {
    if (!this.database.open) return;
    // Prepared statements keep the file open until they are collected, so its log is emptied here, if nobody minds.
    this.tryCheckpoint();
    this.database.close();
  }

  private guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof Error && isOutage(error)) throw storeUnavailable(this.what, error);
      throw error;
    }
  }
}

/**
 * Makes a file that its owner alone may read; SQLite gives those beside it the same permissions. One that is there is
 * not touched: closing any descriptor of a file drops every POSIX lock that this process has on it, those of its other
 * connections too, and another process that closes the file would then delete their write-ahead log.
 */
function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** For what is asked again soon anyway: while the file cannot be read, the answer is `otherwise`. */
export function orIfUnavailable<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Unavailable) return otherwise;
    throw error;
  }
}

function isOutage(error: Error & { code?: string }): boolean {
  return OUTAGE.test(error.code ?? error.message);
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && /^SQLITE_(BUSY|LOCKED)/.test((error as Error & { code?: string }).code ?? '');
}
