import { statSync } from 'node:fs';
import { LOG_START, type Position, type Revision, type StoredEvent, type SealedNewEvent } from '#libs/kernel/event.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { GroupCommit } from '#libs/platform/sqlite/group-commit.js';
import { Sqlite } from '#libs/platform/sqlite/sqlite.js';
import {
  checkAppend,
  checkLimit,
  type EventLog,
  type EventPage,
  type ExpectedRevision,
  RevisionConflict,
  SCAN_MAX,
} from './event-log.port.js';
import { ConnectionCache, type InsertedEvent } from './sqlite.connection-cache.js';
import { COLUMNS, decode, encode, type EncodedEvent, positionOf, REVISION, type Row, SCHEMA } from './sqlite.rows.js';

const COMPONENT = 'The event log';
const NO_LIMIT = -1;

type AppendOutcome = { readonly events: StoredEvent[]; readonly inserted: readonly InsertedEvent[] } | RevisionConflict;

/**
 * Event log in one SQLite file. Positions are row numbers assigned inside the write transaction: without gaps, and none
 * appears late. One connection reads and writes, so its page cache stays valid.
 */
export class SqliteEventLog implements EventLog {
  readonly kind = 'sqlite';
  private readonly statements;
  private readonly cache: ConnectionCache;
  private readonly group: GroupCommit;
  private readonly identity: string | null;

  private constructor(
    private readonly file: Sqlite,
    private readonly path: string,
  ) {
    this.identity = identify(path);
    this.statements = prepare(file);
    this.cache = new ConnectionCache(file);
    this.group = new GroupCommit(file, outcomes => this.onCommitted(outcomes as readonly AppendOutcome[]));
  }

  static open(file: string, busyTimeoutMs?: number): SqliteEventLog {
    const options = { component: COMPONENT, synchronous: 'FULL', schema: SCHEMA, busyTimeoutMs } as const;
    return Sqlite.load(file, options, opened => new SqliteEventLog(opened, file));
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly SealedNewEvent[]): Promise<StoredEvent[]> {
    checkAppend(stream, events);
    this.requireOpenedFile();
    const encoded = encode(stream, events);
    const outcome = await this.group.run(() => this.decide(stream, expected, encoded));
    if (!(outcome instanceof RevisionConflict)) return outcome.events;
    this.cache.forgetEnd(stream);
    throw outcome;
  }

  async read(stream: string, from: Revision = 0, countMax = NO_LIMIT, asOf?: Position): Promise<StoredEvent[]> {
    const isEnd =
      asOf === LOG_START ? this.cache.knowsEndBefore(stream, from) : await this.cache.endsBefore(stream, from);
    if (isEnd) return [];
    // Most streams do not exist at their first read, and this query is cheaper than one for many rows.
    const hasEvents = this.statements.exists.one(stream, from) !== undefined;
    const rows = hasEvents ? this.statements.stream.all(stream, from, countMax) : [];
    if (rows.length !== countMax) this.cache.noteEnd(stream, rows.at(-1)?.[REVISION] ?? from - 1);
    return this.decodeAll(rows);
  }

  async readAll(after: Position, limit: number, types?: readonly string[], step = SCAN_MAX): Promise<EventPage> {
    checkLimit(limit);
    const start = Number(after);
    // Read before the page, so that `next` never skips an event.
    const end = types ? Math.max(start, Math.min(start + step, this.last())) : start;
    const rows = types
      ? this.statements.byType.all(start, end, JSON.stringify(types), limit)
      : this.statements.all.all(start, limit);
    const last = rows.at(-1)?.[0] ?? start;
    const next = rows.length === limit ? last : Math.max(last, end);
    return { events: this.decodeAll(rows), next: positionOf(next), ...(types && { examined: next - start }) };
  }

  /** Checks for commits of other processes now, so that reads as of this moment need not check again. */
  async moment(): Promise<Position> {
    await this.cache.refresh();
    return LOG_START;
  }

  async readNews(after: Position, limit: number, types?: readonly string[]): Promise<EventPage> {
    checkLimit(limit);
    return this.cache.page(after, limit, types) ?? this.readAll(after, limit, types);
  }

  async head(): Promise<Position> {
    this.requireOpenedFile();
    return positionOf(this.last());
  }

  async stepBack(from: Position, count: number): Promise<Position> {
    return positionOf(Math.max(0, Number(from) - count));
  }

  async holds(position: Position): Promise<boolean> {
    return position <= positionOf(this.last());
  }

  async idAt(position: Position): Promise<string | null> {
    return this.isReplaced ? null : (this.statements.idAt.one(Number(position))?.[0] ?? null);
  }

  wake(listener: () => void): () => void {
    return this.cache.listen(listener);
  }

  check(bytesMax?: number): void {
    this.file.check(bytesMax);
  }

  async close(): Promise<void> {
    this.group.close();
    this.cache.close();
    this.file.close();
  }

  private get isReplaced(): boolean {
    return identify(this.path) !== this.identity;
  }

  /** Writes to a removed file would be lost without an error. */
  private requireOpenedFile(): void {
    if (this.isReplaced) throw new Unavailable(COMPONENT, undefined, 'was replaced or removed while the service runs');
  }

  private decide(stream: string, expected: ExpectedRevision, events: EncodedEvent[]): AppendOutcome {
    const storedRows = events.flatMap(({ event }) => this.findById(stream, event.id));
    if (storedRows.length === events.length) return { events: this.decodeAll(storedRows), inserted: [] };
    const revision = this.statements.revision.one(stream)?.[0] ?? -1;
    const expectedRevision = expected === 'none' ? -1 : expected;
    if (storedRows.length > 0 || (expectedRevision !== 'any' && expectedRevision !== revision))
      return new RevisionConflict(stream, expected);
    this.cache.noteEnd(stream, revision + events.length);
    const inserted = events.map((each, index) => this.insert(each, revision + 1 + index));
    return { events: inserted.map(({ event }) => event), inserted };
  }

  private onCommitted(outcomes: readonly AppendOutcome[]): void {
    for (const outcome of outcomes) if (!(outcome instanceof RevisionConflict)) this.cache.put(outcome.inserted);
    this.cache.wake();
  }

  private findById(stream: string, id: string): Row[] {
    const row = this.statements.byId.one(stream, id);
    return row ? [row] : [];
  }

  private insert({ event, body }: EncodedEvent, revision: Revision): InsertedEvent {
    const position = this.statements.insert.insert(event.stream, revision, event.id, event.type, body);
    return { event: { ...event, revision, position: positionOf(position) }, characters: body.length };
  }

  /** A damaged page may hold a text that cannot be parsed. */
  private decodeAll(rows: readonly Row[]): StoredEvent[] {
    try {
      return rows.map(decode);
    } catch (error) {
      throw this.file.reportDamage(error);
    }
  }

  private last(): number {
    return this.statements.last.one()?.[0] ?? 0;
  }
}

function identify(path: string): string | null {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.dev}:${stats.ino}` : null;
}

function prepare(file: Sqlite) {
  return {
    byId: file.prepare<Row>(`SELECT ${COLUMNS} FROM events WHERE stream = ? AND id = ?`),
    revision: file.prepare<[Revision]>('SELECT revision FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1'),
    insert: file.prepare('INSERT INTO events (stream, revision, id, type, body) VALUES (?, ?, ?, ?, ?)'),
    stream: file.prepare<Row>(
      `SELECT ${COLUMNS} FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?`,
    ),
    exists: file.prepare<[number]>('SELECT 1 FROM events WHERE stream = ? AND revision >= ? LIMIT 1'),
    all: file.prepare<Row>(`SELECT ${COLUMNS} FROM events WHERE position > ? ORDER BY position LIMIT ?`),
    byType: file.prepare<Row>(
      `SELECT ${COLUMNS} FROM events WHERE position > ? AND position <= ?
        AND type IN (SELECT value FROM json_each(?)) ORDER BY position LIMIT ?`,
    ),
    idAt: file.prepare<[string]>('SELECT id FROM events WHERE position = ?'),
    last: file.prepare<[number]>('SELECT position FROM events ORDER BY position DESC LIMIT 1'),
  };
}
