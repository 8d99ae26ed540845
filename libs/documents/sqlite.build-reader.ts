import { START } from '#libs/kernel/event.js';
import type { Position } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Stored } from '#libs/kernel/projection.js';
import type { Sqlite, Statement } from '#libs/sqlite/open.js';
import type { Meeting, Met, Range } from './port.js';
import { checkIds, checkMeeting, checkRange, listAt } from './range.js';
import { entriesFrom, entryColumns } from './sqlite.list-index.js';
import { columnOf, indexName } from './sqlite.index-name.js';
import { MeetingReader } from './sqlite.meetings.js';
import { param, type Row, stored } from './sqlite.rows.js';
import type { Indexes } from './sqlite.schema.js';

/** Reads one build's table. A statement per shape of question, prepared once. */
export class BuildReader<D extends JsonObject> {
  private readonly one;
  private readonly many;
  private readonly all;
  private readonly reached;
  private readonly ranges = new Map<string, Statement<Row>>();
  private readonly meetings = new Map<string, MeetingReader<D>>();

  constructor(
    private readonly reader: Sqlite,
    private readonly build: string,
    private readonly indexes: Indexes,
  ) {
    const select = `SELECT id, position, body FROM "${build}" WHERE id`;
    this.one = reader.prepare<Row>(`${select} = ?`);
    this.many = reader.prepare<Row>(`${select} IN (SELECT value FROM json_each(?))`);
    this.all = reader.prepare<Row>(`${select} > ? ORDER BY id LIMIT ?`);
    this.reached = reader.prepare<[Position]>('SELECT position FROM reached WHERE build = ?');
  }

  get(id: string): Stored<D> | undefined {
    const row = this.one.one(id);
    return row && stored<D>(row);
  }

  getMany(ids: readonly string[]): Stored<D>[] {
    checkIds(ids);
    return ids.length === 0 ? [] : this.many.all(JSON.stringify(ids)).map(row => stored<D>(row));
  }

  find(range: Range): Stored<D>[] {
    const fields = this.fieldsOf(range.index);
    checkRange(range, fields);
    const params = [...range.equals, ...(range.after ?? [])].map(param);
    return this.statement(range, fields)
      .all(...params, range.limit)
      .map(row => stored<D>(row));
  }

  meet(meeting: Meeting): Met<D> {
    const fields = this.fieldsOf(meeting.index);
    checkMeeting(meeting, fields);
    const reader = this.meetings.get(meeting.index) ?? new MeetingReader<D>(this.reader, this.build, fields);
    this.meetings.set(meeting.index, reader);
    return reader.meet(meeting);
  }

  /** Ids are never empty, so the empty text stands before the first. */
  scan(limit: number, after = ''): Stored<D>[] {
    return this.all.all(after, limit).map(row => stored<D>(row));
  }

  checkpoint(): Position {
    return this.reached.one(this.build)?.[0] ?? START;
  }

  private fieldsOf(index: string): readonly string[] | undefined {
    return Object.hasOwn(this.indexes, index) ? this.indexes[index] : undefined;
  }

  private statement(range: Range, fields: readonly string[]): Statement<Row> {
    const shape = [range.index, range.equals.length, range.order, range.after !== undefined].join();
    const known = this.ranges.get(shape);
    if (known) return known;
    const statement = this.reader.prepare<Row>(rangeSql(this.build, range, fields));
    this.ranges.set(shape, statement);
    return statement;
  }
}

/** The question as SQL. The index is named, so that a question it cannot answer fails when it is first prepared. */
export function rangeSql(build: string, range: Range, fields: readonly string[]): string {
  const isOfList = listAt(fields) >= 0;
  const columns = isOfList ? entryColumns(fields) : [...fields.map(columnOf), 'id'];
  const rest = columns.slice(range.equals.length);
  const equal = columns.slice(0, range.equals.length).map(column => `${column} = ?`);
  const behind = `(${rest.join(', ')}) ${range.order === 'asc' ? '>' : '<'} (${rest.map(() => '?').join(', ')})`;
  const where = [...equal, ...(range.after ? [behind] : [])].join(' AND ') || 'TRUE';
  const order = rest.map(column => `${column} ${range.order}`).join(', ');
  const table = isOfList ? entriesFrom(build, fields) : `"${build}" INDEXED BY "${indexName(build, fields)}"`;
  return `SELECT id, position, body FROM ${table} WHERE ${where} ORDER BY ${order} LIMIT ?`;
}
