import type { JsonObject } from '#libs/kernel/json.js';
import type { Sqlite, Statement } from '#libs/platform/sqlite/sqlite.js';
import { buildIntersectionPage, type OrderKey, computeReach } from './term-intersection.js';
import type { TermIntersection, IntersectionPage, Scalar } from './document-store.port.js';
import { listFieldPosition } from './index-range.js';
import {
  buildLookUpSql,
  buildMergedSql,
  type IntersectionShape,
  buildOrderKeySql,
} from './sqlite.term-intersection-sql.js';
import { toParam, type Row, toScalar, toStoredDocument } from './sqlite.rows.js';

interface Span {
  readonly after: OrderKey | null;
  readonly until: OrderKey | null;
}

type Values = readonly Scalar[];

/**
 * Merges the rows of all texts up to where each may be examined, at the cost of a row per text. After that, looks up
 * each row of the rarest text under the others.
 */
export class IntersectionReader<D extends JsonObject> {
  private readonly statements = new Map<string, Statement<unknown[]>>();

  constructor(
    private readonly reader: Sqlite,
    private readonly build: string,
    private readonly fields: readonly string[],
  ) {}

  intersect(query: TermIntersection): IntersectionPage<D> {
    const { order, limit, texts } = query;
    const after = query.after ?? null;
    const { rarest, near, far } = computeReach(
      texts.map(text => this.findLastKey(query, text)),
      order,
    );
    const rows = this.readMerged(query, { after, until: near }, limit);
    const hasMore = rows.length < limit && near !== null;
    if (hasMore) rows.push(...this.lookUp(query, rarest, { after: near, until: far }, limit - rows.length));
    const orderedBy = this.fields.slice(listFieldPosition(this.fields) + 1);
    return buildIntersectionPage(
      rows.map(row => toStoredDocument<D>(row)),
      query,
      orderedBy,
      far,
    );
  }

  private findLastKey({ equals, order, after, within }: TermIntersection, text: string): OrderKey | null {
    const span = { after: after ?? null, until: null };
    const values = [...equals, text, ...(after ?? [])];
    const [row] = this.rows<(string | number)[]>(buildOrderKeySql(this.shape(order, span)), values, within - 1);
    return row?.map(toScalar) ?? null;
  }

  private readMerged({ equals, texts, order }: TermIntersection, span: Span, limit: number): Row[] {
    const values = texts.flatMap(text => [...equals, text, ...listSpanValues(span)]);
    return this.rows<Row>(buildMergedSql(this.shape(order, span), texts.length), values, limit);
  }

  private lookUp({ equals, texts, order }: TermIntersection, rarest: number, span: Span, limit: number): Row[] {
    const others = texts.filter((_text, at) => at !== rarest);
    const values = [...others, texts[rarest]!].flatMap(text => [...equals, text]);
    return this.rows<Row>(
      buildLookUpSql(this.shape(order, span), others.length),
      [...values, ...listSpanValues(span)],
      limit,
    );
  }

  private shape(order: TermIntersection['order'], { after, until }: Span): IntersectionShape {
    return { build: this.build, fields: this.fields, order, hasAfter: after !== null, hasUntil: until !== null };
  }

  private rows<R extends unknown[]>(sql: string, values: Values, count: number): R[] {
    const statement = this.statements.get(sql) ?? this.reader.prepare<unknown[]>(sql);
    this.statements.set(sql, statement);
    return statement.all(...values.map(toParam), count) as R[];
  }
}

const listSpanValues = ({ after, until }: Span): Values => [...(after ?? []), ...(until ?? [])];
