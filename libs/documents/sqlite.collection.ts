import { LOG_START, type Position } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection, StoredDocument } from '#libs/kernel/projection.js';
import type { Sqlite, Statement } from '#libs/platform/sqlite/sqlite.js';
import type {
  Collection,
  DocumentStamps,
  IndexRange,
  IntersectionPage,
  PatternEntries,
  PatternQuery,
  TermIntersection,
  TextQuery,
} from './document-store.port.js';
import {
  checkIds,
  checkIntersection,
  checkListQuery,
  checkRange,
  checkPattern,
  listFieldPosition,
} from './index-range.js';
import { columnOf, entriesFrom, entryColumns, indexCondition, indexName } from './sqlite.indexes.js';
import { type Row, type Stamp, toParam, toStoredDocument } from './sqlite.rows.js';
import { findEntries, findTexts } from './sqlite.patterns.js';
import { intersectTerms } from './sqlite.term-intersection.js';

const STAMP_COLUMNS = 'id, position';
const DOCUMENT_COLUMNS = `${STAMP_COLUMNS}, body`;

/** Reads the live build. Prepares statements on the first query, because tables may be created until then. */
export class SqliteCollection<D extends JsonObject> implements Collection<D> {
  private readonly statements = new Map<string, Statement<unknown[]>>();

  constructor(
    private readonly reader: Sqlite,
    readonly projection: Projection<D>,
    private build: string,
  ) {}

  get buildName(): string {
    return this.build;
  }

  follow(build: string): boolean {
    if (build === this.build) return false;
    this.build = build;
    this.statements.clear();
    return true;
  }

  async get(id: string): Promise<StoredDocument<D> | undefined> {
    const row = this.statement<Row>('get', () => `SELECT ${DOCUMENT_COLUMNS} FROM "${this.build}" WHERE id = ?`).one(
      id,
    );
    return row && toStoredDocument<D>(row);
  }

  async getMany(ids: readonly string[]): Promise<StoredDocument<D>[]> {
    return this.among<Row>(ids, DOCUMENT_COLUMNS).map(toStoredDocument<D>);
  }

  async find(range: IndexRange): Promise<StoredDocument<D>[]> {
    return this.within<Row>(range, DOCUMENT_COLUMNS).map(toStoredDocument<D>);
  }

  async stamps(query: IndexRange | readonly string[]): Promise<DocumentStamps> {
    const rows = 'index' in query ? this.within<Stamp>(query, STAMP_COLUMNS) : this.among<Stamp>(query, STAMP_COLUMNS);
    return { build: this.build, of: rows.map(([id, position]) => ({ id, position })) };
  }

  async intersect(query: TermIntersection): Promise<IntersectionPage<D>> {
    const fields = this.fieldsOf(query.index);
    checkIntersection(query, fields);
    return intersectTerms<D>(query, { build: this.build, fields }, <R extends unknown[]>(sql: string) =>
      this.statement<R>(sql, () => sql),
    );
  }

  async findEntries(query: PatternQuery): Promise<PatternEntries> {
    const fields = this.fieldsOf(query.index);
    checkPattern(query, fields);
    return findEntries(query, { build: this.build, fields }, this.prepare);
  }

  async findTexts(query: TextQuery): Promise<readonly string[]> {
    const fields = this.fieldsOf(query.index);
    checkListQuery(query, fields);
    return findTexts(query, { build: this.build, fields }, this.prepare);
  }

  /** Ids are never empty, so the empty string sorts before the first. */
  async scan(limit: number, after = ''): Promise<StoredDocument<D>[]> {
    const sql = () => `SELECT ${DOCUMENT_COLUMNS} FROM "${this.build}" WHERE id > ? ORDER BY id LIMIT ?`;
    return this.statement<Row>('scan', sql)
      .all(after, limit)
      .map(toStoredDocument<D>);
  }

  async checkpoint(): Promise<Position> {
    const reached = this.statement<[Position]>('checkpoint', () => 'SELECT position FROM reached WHERE build = ?');
    return reached.one(this.build)?.[0] ?? LOG_START;
  }

  private fieldsOf(index: string): readonly string[] | undefined {
    const { indexes } = this.projection;
    return Object.hasOwn(indexes, index) ? indexes[index] : undefined;
  }

  private among<R extends unknown[]>(ids: readonly string[], columns: string): R[] {
    checkIds(ids);
    if (ids.length === 0) return [];
    const sql = () => `SELECT ${columns} FROM "${this.build}" WHERE id IN (SELECT value FROM json_each(?))`;
    return this.statement<R>(`among ${columns}`, sql).all(JSON.stringify(ids));
  }

  private within<R extends unknown[]>(range: IndexRange, columns: string): R[] {
    const fields = this.fieldsOf(range.index);
    checkRange(range, fields);
    const shape = [columns, range.index, range.equals.length, range.order, range.after !== undefined].join();
    const statement = this.statement<R>(shape, () => buildRangeSql(this.build, range, fields, columns));
    return statement.all(...[...range.equals, ...(range.after ?? [])].map(toParam), range.limit);
  }

  private readonly prepare = <R extends unknown[]>(sql: string) => this.statement<R>(sql, () => sql);

  private statement<R extends unknown[]>(key: string, sql: () => string): Statement<R> {
    const statement = this.statements.get(key) ?? this.reader.prepare<unknown[]>(sql());
    this.statements.set(key, statement);
    return statement as Statement<R>;
  }
}

/** Names the index, so that a query it cannot serve fails when it is prepared. */
export function buildRangeSql(
  build: string,
  range: IndexRange,
  fields: readonly string[],
  selected = DOCUMENT_COLUMNS,
): string {
  const isOfList = listFieldPosition(fields) >= 0;
  const columns = isOfList ? entryColumns(fields) : [...fields.map(columnOf), 'id'];
  const rest = columns.slice(range.equals.length);
  const equal = columns.slice(0, range.equals.length).map(column => `${column} = ?`);
  const after = `(${rest.join(', ')}) ${range.order === 'asc' ? '>' : '<'} (${rest.map(() => '?').join(', ')})`;
  const where = [...equal, indexCondition(fields, columns[0]), ...(range.after ? [after] : [])].join(' AND ');
  const order = rest.map(column => `${column} ${range.order}`).join(', ');
  const table = isOfList ? entriesFrom(build, fields) : `"${build}" INDEXED BY "${indexName(build, fields)}"`;
  return `SELECT ${selected} FROM ${table} WHERE ${where} ORDER BY ${order} LIMIT ?`;
}
