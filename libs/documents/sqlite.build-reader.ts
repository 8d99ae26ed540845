import { START } from '#libs/kernel/event.js';
import type { Position } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Stored } from '#libs/kernel/projection.js';
import type { Sqlite, Statement } from '#libs/platform/sqlite/open.js';
import type { Meeting, Met, Range, Stamps } from './port.js';
import { checkIds, checkMeeting, checkRange, listAt } from './range.js';
import { entriesFrom, entryColumns } from './sqlite.list-index.js';
import { columnOf, indexName } from './sqlite.index-name.js';
import { MeetingReader } from './sqlite.meetings.js';
import { param, type Row, type Stamp, stored } from './sqlite.rows.js';
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
  private readonly meetings = new Map<string, MeetingReader<D>>();

  constructor(
    private readonly reader: Sqlite,
    private readonly build: string,
    private readonly indexes: Indexes,
  ) {
    const select = `SELECT ${WHOLE} FROM "${build}" WHERE id`;
    const among = 'IN (SELECT value FROM json_each(?))';
    this.one = reader.prepare<Row>(`${select} = ?`);
    this.many = reader.prepare<Row>(`${select} ${among}`);
    this.manyStamps = reader.prepare<Stamp>(`SELECT ${STAMP} FROM "${build}" WHERE id ${among}`);
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
    return this.rows(range, this.ranges, WHOLE).map(row => stored<D>(row));
  }

  stamps(asked: Range | readonly string[]): Stamps['of'] {
    if ('index' in asked) return this.rows(asked, this.stampRanges, STAMP).map(stamped);
    checkIds(asked);
    return asked.length === 0 ? [] : this.manyStamps.all(JSON.stringify(asked)).map(stamped);
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

  private rows<R extends unknown[]>(range: Range, statements: Map<string, Statement<R>>, columns: string): R[] {
    const fields = this.fieldsOf(range.index);
    checkRange(range, fields);
    const shape = [range.index, range.equals.length, range.order, range.after !== undefined].join();
    const statement = statements.get(shape) ?? this.reader.prepare<R>(rangeSql(this.build, range, fields, columns));
    statements.set(shape, statement);
    return statement.all(...[...range.equals, ...(range.after ?? [])].map(param), range.limit);
  }
}

const STAMP = 'id, position';
const WHOLE = `${STAMP}, body`;
const stamped = ([id, position]: Stamp) => ({ id, position });

/** The question as SQL. The index is named, so that a question it cannot answer fails when it is first prepared. */
export function rangeSql(build: string, range: Range, fields: readonly string[], shown = WHOLE): string {
  const isOfList = listAt(fields) >= 0;
  const columns = isOfList ? entryColumns(fields) : [...fields.map(columnOf), 'id'];
  const rest = columns.slice(range.equals.length);
  const equal = columns.slice(0, range.equals.length).map(column => `${column} = ?`);
  const behind = `(${rest.join(', ')}) ${range.order === 'asc' ? '>' : '<'} (${rest.map(() => '?').join(', ')})`;
  const where = [...equal, ...(range.after ? [behind] : [])].join(' AND ') || 'TRUE';
  const order = rest.map(column => `${column} ${range.order}`).join(', ');
  const table = isOfList ? entriesFrom(build, fields) : `"${build}" INDEXED BY "${indexName(build, fields)}"`;
  return `SELECT ${shown} FROM ${table} WHERE ${where} ORDER BY ${order} LIMIT ?`;
}
