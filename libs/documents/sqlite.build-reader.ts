import { LOG_START } from '#libs/kernel/event.js';
import type { Position } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import type { Sqlite, Statement } from '#libs/platform/sqlite/sqlite.js';
import type { TermIntersection, IntersectionPage, IndexRange, DocumentStamps } from './document-store.port.js';
import { checkIds, checkIntersection, checkRange, listFieldPosition } from './index-range.js';
import { entriesFrom, entryColumns } from './sqlite.list-index.js';
import { columnOf, indexName, indexCondition } from './sqlite.index-name.js';
import { IntersectionReader } from './sqlite.term-intersection.js';
import { toParam, type Row, type Stamp, toStoredDocument } from './sqlite.rows.js';
import type { Indexes } from './sqlite.schema.js';

export class BuildReader<D extends JsonObject> {
  private readonly one;
  private readonly many;
  private readonly manyStamps;
  private readonly all;
  private readonly reached;
  private readonly ranges = new Map<string, Statement<Row>>();
  private readonly stampRanges = new Map<string, Statement<Stamp>>();
  private readonly intersections = new Map<string, IntersectionReader<D>>();

  constructor(
    private readonly reader: Sqlite,
    private readonly build: string,
    private readonly indexes: Indexes,
  ) {
    const select = `SELECT ${DOCUMENT_COLUMNS} FROM "${build}" WHERE id`;
    const among = 'IN (SELECT value FROM json_each(?))';
    this.one = reader.prepare<Row>(`${select} = ?`);
    this.many = reader.prepare<Row>(`${select} ${among}`);
    this.manyStamps = reader.prepare<Stamp>(`SELECT ${STAMP_COLUMNS} FROM "${build}" WHERE id ${among}`);
    this.all = reader.prepare<Row>(`${select} > ? ORDER BY id LIMIT ?`);
    this.reached = reader.prepare<[Position]>('SELECT position FROM reached WHERE build = ?');
  }

  get(id: string): StoredDocument<D> | undefined {
    const row = this.one.one(id);
    return row && toStoredDocument<D>(row);
  }

  getMany(ids: readonly string[]): StoredDocument<D>[] {
    checkIds(ids);
    return ids.length === 0 ? [] : this.many.all(JSON.stringify(ids)).map(row => toStoredDocument<D>(row));
  }

  find(range: IndexRange): StoredDocument<D>[] {
    return this.rows(range, this.ranges, DOCUMENT_COLUMNS).map(row => toStoredDocument<D>(row));
  }

  stamps(query: IndexRange | readonly string[]): DocumentStamps['of'] {
    if ('index' in query) return this.rows(query, this.stampRanges, STAMP_COLUMNS).map(toStamp);
    checkIds(query);
    return query.length === 0 ? [] : this.manyStamps.all(JSON.stringify(query)).map(toStamp);
  }

  intersect(query: TermIntersection): IntersectionPage<D> {
    const fields = this.fieldsOf(query.index);
    checkIntersection(query, fields);
    const reader = this.intersections.get(query.index) ?? new IntersectionReader<D>(this.reader, this.build, fields);
    this.intersections.set(query.index, reader);
    return reader.intersect(query);
  }

  /** Ids are never empty, so the empty string sorts before the first. */
  scan(limit: number, after = ''): StoredDocument<D>[] {
    return this.all.all(after, limit).map(row => toStoredDocument<D>(row));
  }

  checkpoint(): Position {
    return this.reached.one(this.build)?.[0] ?? LOG_START;
  }

  private fieldsOf(index: string): readonly string[] | undefined {
    return Object.hasOwn(this.indexes, index) ? this.indexes[index] : undefined;
  }

  private rows<R extends unknown[]>(range: IndexRange, statements: Map<string, Statement<R>>, columns: string): R[] {
    const fields = this.fieldsOf(range.index);
    checkRange(range, fields);
    const shape = [range.index, range.equals.length, range.order, range.after !== undefined].join();
    const statement =
      statements.get(shape) ?? this.reader.prepare<R>(buildRangeSql(this.build, range, fields, columns));
    statements.set(shape, statement);
    return statement.all(...[...range.equals, ...(range.after ?? [])].map(toParam), range.limit);
  }
}

const STAMP_COLUMNS = 'id, position';
const DOCUMENT_COLUMNS = `${STAMP_COLUMNS}, body`;
const toStamp = ([id, position]: Stamp) => ({ id, position });

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
