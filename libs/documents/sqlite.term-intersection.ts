import type { JsonObject } from '#libs/kernel/json.js';
import type { Statement } from '#libs/platform/sqlite/sqlite.js';
import type { IntersectionPage, TermIntersection } from './document-store.port.js';
import { listFieldPosition } from './index-range.js';
import { columnOf, indexName } from './sqlite.indexes.js';
import { type Row, toParam, toScalar, toStoredDocument } from './sqlite.rows.js';
import { buildIntersectionPage, computeReach, type OrderKey } from './term-intersection.js';

interface ListIndex {
  readonly build: string;
  readonly fields: readonly string[];
}

interface IntersectionShape extends ListIndex {
  readonly order: TermIntersection['order'];
  readonly hasAfter: boolean;
  readonly hasUntil: boolean;
}

/**
 * Merges the rows of all texts up to where each may be examined, at the cost of a row per text. After that, looks up
 * each row of the rarest text under the others.
 */
export function intersectTerms<D extends JsonObject>(
  query: TermIntersection,
  index: ListIndex,
  prepare: <R extends unknown[]>(sql: string) => Statement<R>,
): IntersectionPage<D> {
  const { equals, texts, order, limit, within, after = null } = query;
  const shape = (from: OrderKey | null, until: OrderKey | null): IntersectionShape => {
    return { ...index, order, hasAfter: from !== null, hasUntil: until !== null };
  };
  const findLastKey = (text: string): OrderKey | null => {
    const values = [...equals, text, ...(after ?? [])].map(toParam);
    const statement = prepare<(string | number)[]>(buildOrderKeySql(shape(after, null)));
    return statement.one(...values, within - 1)?.map(toScalar) ?? null;
  };
  const { rarest, near, far } = computeReach(texts.map(findLastKey), order);

  const ofAll = texts.flatMap(text => [...equals, text, ...(after ?? []), ...(near ?? [])]);
  const merged = prepare<Row>(buildMergedSql(shape(after, near), texts.length));
  const rows = merged.all(...ofAll.map(toParam), limit);
  if (rows.length < limit && near !== null) {
    const others = texts.filter((_text, at) => at !== rarest);
    const compared = [...others, texts[rarest]!].flatMap(text => [...equals, text]);
    const lookUp = prepare<Row>(buildLookUpSql(shape(near, far), others.length));
    rows.push(...lookUp.all(...[...compared, ...near, ...(far ?? [])].map(toParam), limit - rows.length));
  }
  const orderedBy = index.fields.slice(listFieldPosition(index.fields) + 1);
  return buildIntersectionPage(rows.map(toStoredDocument<D>), query, orderedBy, far);
}

/** Parameters: compared values, order key, offset. Returns the next order key. */
export function buildOrderKeySql(shape: IntersectionShape): string {
  return `${rowsOf(shape)} ${orderBy(shape)} LIMIT 1 OFFSET ?`;
}

/**
 * Parameters: for each text the compared values and order keys, then the limit. SQLite merges `INTERSECT` branches that
 * are in index order.
 */
export function buildMergedSql(shape: IntersectionShape, texts: number): string {
  const common = `${Array<string>(texts).fill(rowsOf(shape)).join(' INTERSECT ')} ${orderBy(shape)} LIMIT ?`;
  return `SELECT id, position, body FROM (${common}) AS entry ${documents(shape)} ${orderBy(shape, 'entry.')}`;
}

/** Parameters: compared values of each other text, then of the first one, order keys, limit. */
export function buildLookUpSql(shape: IntersectionShape, others: number): string {
  const compared = [
    ...listComparedColumns(shape).map(column => `other.${column} = ?`),
    ...listOrderingColumns(shape).map(column => `other.${column} = entry.${column}`),
  ].join(' AND ');
  const joins = Array.from({ length: others }, (_, at) => {
    const other = `other${at}`;
    return `CROSS JOIN ${table(shape)} AS ${other} ON ${compared.replaceAll('other.', `${other}.`)}`;
  });
  const from = [`${table(shape)} AS entry`, ...joins, documents(shape)].join(' ');
  return `SELECT id, position, body FROM ${from} WHERE ${where(shape)} ${orderBy(shape, 'entry.')} LIMIT ?`;
}

const table = ({ build, fields }: IntersectionShape) => `"${indexName(build, fields)}"`;
const documents = ({ build }: IntersectionShape) => `CROSS JOIN "${build}" ON id = entry.document`;
const listComparedColumns = ({ fields }: IntersectionShape) =>
  fields.slice(0, listFieldPosition(fields) + 1).map(columnOf);
const listOrderingColumns = ({ fields }: IntersectionShape) => [
  ...fields.slice(listFieldPosition(fields) + 1).map(columnOf),
  'document',
];

const rowsOf = (shape: IntersectionShape) =>
  `SELECT ${listOrderingColumns(shape).join()} FROM ${table(shape)} AS entry WHERE ${where(shape)}`;

const orderBy = (shape: IntersectionShape, of = '') =>
  `ORDER BY ${listOrderingColumns(shape)
    .map(column => `${of}${column} ${shape.order}`)
    .join()}`;

function where(shape: IntersectionShape): string {
  const ordered = listOrderingColumns(shape);
  const key = `(${ordered.map(column => `entry.${column}`).join()})`;
  const values = `(${ordered.map(() => '?').join()})`;
  const [after, upTo] = shape.order === 'asc' ? ['>', '<='] : ['<', '>='];
  return [
    ...listComparedColumns(shape).map(column => `entry.${column} = ?`),
    ...(shape.hasAfter ? [`${key} ${after} ${values}`] : []),
    ...(shape.hasUntil ? [`${key} ${upTo} ${values}`] : []),
  ].join(' AND ');
}
