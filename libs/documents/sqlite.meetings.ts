import type { JsonObject } from '#libs/kernel/json.js';
import type { Sqlite, Statement } from '#libs/platform/sqlite/open.js';
import { met, type Place, reachOf } from './meeting.js';
import type { Meeting, Met, Scalar } from './port.js';
import { listAt } from './range.js';
import { lookedForSql, mergedSql, type MeetingShape, placeSql } from './sqlite.meeting-sql.js';
import { param, type Row, scalar, stored } from './sqlite.rows.js';

/** What of an order is looked at: behind one place, up to another. */
interface Span {
  readonly after: Place | null;
  readonly until: Place | null;
}

type Values = readonly Scalar[];

/**
 * Reads what stands under several texts of one list index. Up to where all of them may be looked at their rows are
 * merged, which costs a row of each; behind it each row of the rarest is looked for under the others.
 */
export class MeetingReader<D extends JsonObject> {
  private readonly statements = new Map<string, Statement<unknown[]>>();

  constructor(
    private readonly reader: Sqlite,
    private readonly build: string,
    private readonly fields: readonly string[],
  ) {}

  meet(meeting: Meeting): Met<D> {
    const { order, limit, texts } = meeting;
    const after = meeting.after ?? null;
    const { rarest, near, far } = reachOf(
      texts.map(text => this.last(meeting, text)),
      order,
    );
    const rows = this.merged(meeting, { after, until: near }, limit);
    const isMore = rows.length < limit && near !== null;
    if (isMore) rows.push(...this.lookedFor(meeting, rarest, { after: near, until: far }, limit - rows.length));
    const orderedBy = this.fields.slice(listAt(this.fields) + 1);
    return met(
      rows.map(row => stored<D>(row)),
      meeting,
      orderedBy,
      far,
    );
  }

  /** Where the last row of a text stands that may be looked at. */
  private last({ equals, order, after, within }: Meeting, text: string): Place | null {
    const span = { after: after ?? null, until: null };
    const values = [...equals, text, ...(after ?? [])];
    const [found] = this.rows<(string | number)[]>(placeSql(this.shape(order, span)), values, within - 1);
    return found?.map(scalar) ?? null;
  }

  private merged({ equals, texts, order }: Meeting, span: Span, limit: number): Row[] {
    const values = texts.flatMap(text => [...equals, text, ...placesOf(span)]);
    return this.rows<Row>(mergedSql(this.shape(order, span), texts.length), values, limit);
  }

  private lookedFor({ equals, texts, order }: Meeting, rarest: number, span: Span, limit: number): Row[] {
    const others = texts.filter((_text, at) => at !== rarest);
    const values = [...others, texts[rarest]!].flatMap(text => [...equals, text]);
    return this.rows<Row>(lookedForSql(this.shape(order, span), others.length), [...values, ...placesOf(span)], limit);
  }

  private shape(order: Meeting['order'], { after, until }: Span): MeetingShape {
    return { build: this.build, fields: this.fields, order, isBehind: after !== null, isUpTo: until !== null };
  }

  private rows<R extends unknown[]>(sql: string, values: Values, count: number): R[] {
    const statement = this.statements.get(sql) ?? this.reader.prepare<unknown[]>(sql);
    this.statements.set(sql, statement);
    return statement.all(...values.map(param), count) as R[];
  }
}

const placesOf = ({ after, until }: Span): Values => [...(after ?? []), ...(until ?? [])];
