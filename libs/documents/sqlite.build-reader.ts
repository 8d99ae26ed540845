import { LOG_START } from '#libs/kernel/event.js';
import type { Position } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import type { Sqlite, Statement } from '#libs/platform/sqlite/sqlite.js';
import type { TermIntersection, IntersectionPage, IndexRange, DocumentStamps } from './document-store.port.js';
import { checkIds, checkIntersection, checkRange, listFieldPosition } from './index-range.js';
import { entriesFrom, entryColumns } from './sqlite.list-index.js';
import { columnOf, indexName } from './sqlite.index-name.js';
import { IntersectionReader } from './sqlite.term-intersection.js';
import { toParam, type Row, type Stamp, toStoredDocument } from './sqlite.rows.js';
import type { Indexes } from './sqlite.schema.js';

/** Reads one build's table. A statement per shape of question, prepared once. */
export class BuildReader<D extends JsonObject> {
  private readonly one;
  private readonly many;
  private readonly manyStamps;
  private readonly all;
  private readonly reached;
  private readonly ranges = new Map<string, Statement<Row>>();
  private readonly stampRanges = new Map<string, Statement<Stamp>>();
  private readonly meetings = new Map<string, IntersectionReader<D>>();

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

  stamps(asked: IndexRange | readonly string[]): DocumentStamps['of'] {
    if ('index' in asked) return this.rows(asked, this.stampRanges, STAMP_COLUMNS).map(toStamp);
    checkIds(asked);
    return asked.length === 0 ? [] : this.manyStamps.all(JSON.stringify(asked)).map(toStamp);
  }

  intersect(meeting: TermIntersection): IntersectionPage<D> {
    const fields = this.fieldsOf(meeting.index);
    checkIntersection(meeting, fields);
    const reader = this.meetings.get(meeting.index) ?? new IntersectionReader<D>(this.reader, this.build, fields);
    this.meetings.set(meeting.index, reader);
    return reader.intersect(meeting);
  }

  /** Ids are never empty, so the empty text stands before the first. */
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

/** The question as SQL. The index is named, so that a question it cannot answer fails when it is first prepared. */
export function buildRangeSql(
  build: string,
  range: IndexRange,
  fields: readonly string[],
  shown = DOCUMENT_COLUMNS,
): string {
  const isOfList = listFieldPosition(fields) >= 0;
  const columns = isOfList ? entryColumns(fields) : [...fields.map(columnOf), 'id'];
  const rest = columns.slice(range.equals.length);
  const equal = columns.slice(0, range.equals.length).map(column => `${column} = ?`);
  const behind = `(${rest.join(', ')}) ${range.order === 'asc' ? '>' : '<'} (${rest.map(() => '?').join(', ')})`;
  const where = [...equal, ...(range.after ? [behind] : [])].join(' AND ') || 'TRUE';
  const order = rest.map(column => `${column} ${range.order}`).join(', ');
  const table = isOfList ? entriesFrom(build, fields) : `"${build}" INDEXED BY "${indexName(build, fields)}"`;
  return `SELECT ${shown} FROM ${table} WHERE ${where} ORDER BY ${order} LIMIT ?`;
}
