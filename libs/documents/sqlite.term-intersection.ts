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
  /** Whether each set has one text, so that rows come in the order of the index. */
  readonly single: boolean;
  readonly hasAfter: boolean;
  readonly hasUntil: boolean;
}

/**
 * Merges the rows of all sets up to where each may be examined, at the cost of a row per text. After that, looks up
 * each row of the rarest set under the others.
 */
export function intersectTerms<D extends JsonObject>(
  query: TermIntersection,
  index: ListIndex,
  prepare: <R extends unknown[]>(sql: string) => Statement<R>,
): IntersectionPage<D> {
  const { equals, texts, order, limit, within, after = null } = query;
  const single = texts.every(({ length }) => length === 1);
  const shape = (from: OrderKey | null, until: OrderKey | null): IntersectionShape => {
    return { ...index, order, single, hasAfter: from !== null, hasUntil: until !== null };
  };
  const toKeySql = buildOrderKeySql({ ...shape(after, null), single: true });
  const findLastKey = (text: string): OrderKey | null => {
    const values = [...equals, text, ...(after ?? [])].map(toParam);
    return (
      prepare<(string | number)[]>(toKeySql)
        .one(...values, within - 1)
        ?.map(toScalar) ?? null
    );
  };
  const { rarest, near, far } = computeReach(
    texts.map(set => set.map(findLastKey)),
    order,
  );

  const compared = (set: readonly string[]) => [...equals, single ? set[0]! : JSON.stringify(set)];
  const ofAll = texts.flatMap(set => [...compared(set), ...(after ?? []), ...(near ?? [])]);
  const merged = prepare<Row>(buildMergedSql(shape(after, near), texts.length));
  const rows = merged.all(...ofAll.map(toParam), limit);
  if (rows.length < limit && near !== null) {
    const others = texts.filter((_set, at) => at !== rarest);
    const values = [...compared(texts[rarest]!), ...near, ...(far ?? []), ...others.flatMap(compared)];
    const lookUp = prepare<Row>(buildLookUpSql(shape(near, far), others.length));
    rows.push(...lookUp.all(...values.map(toParam), limit - rows.length));
  }
  const orderedBy = index.fields.slice(listFieldPosition(index.fields) + 1);
  return buildIntersectionPage(rows.map(toStoredDocument<D>), query, orderedBy, far);
}

/** Parameters: compared values, order key, offset. Returns the next order key. */
export function buildOrderKeySql(shape: IntersectionShape): string {
  return `${rowsOf(shape)} ${orderBy(shape)} LIMIT 1 OFFSET ?`;
}

/**
 * Parameters: for each set the compared values and order keys, then the limit. SQLite merges `INTERSECT` branches that
 * are in index order.
 */
export function buildMergedSql(shape: IntersectionShape, sets: number): string {
  const branches = Array<string>(sets).fill(rowsOf(shape));
  const distinct = sets === 1 && !shape.single ? branches.map(makeDistinct) : branches;
  return withDocuments(shape, `${distinct.join(' INTERSECT ')} ${orderBy(shape)} LIMIT ?`);
}

/** Parameters: compared values of one set, order keys, compared values of the other sets, limit. */
export function buildLookUpSql(shape: IntersectionShape, others: number): string {
  const same = listOrderingColumns(shape).map(column => `other.${column} = entry.${column}`);
  const compared = [...compare(shape, 'other'), ...same].join(' AND ');
  const exists = ` AND EXISTS (SELECT 1 FROM ${table(shape)} AS other WHERE ${compared})`;
  const rows = rowsOf(shape) + exists.repeat(others);
  return withDocuments(shape, `${shape.single ? rows : makeDistinct(rows)} ${orderBy(shape)} LIMIT ?`);
}

const makeDistinct = (rows: string) => rows.replace('SELECT', 'SELECT DISTINCT');
const withDocuments = (shape: IntersectionShape, rows: string) =>
  `SELECT id, position, body FROM (${rows}) AS entry ${documents(shape)} ${orderBy(shape, 'entry.')}`;
const table = ({ build, fields }: IntersectionShape) => `"${indexName(build, fields)}"`;
const documents = ({ build }: IntersectionShape) => `CROSS JOIN "${build}" ON id = entry.document`;
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

function compare({ fields, single }: IntersectionShape, row: string): string[] {
  const at = listFieldPosition(fields);
  const text = single ? '= ?' : 'IN (SELECT value FROM json_each(?))';
  return fields.slice(0, at + 1).map((field, each) => `${row}.${columnOf(field)} ${each < at ? '= ?' : text}`);
}

function where(shape: IntersectionShape): string {
  const ordered = listOrderingColumns(shape);
  const key = `(${ordered.map(column => `entry.${column}`).join()})`;
  const values = `(${ordered.map(() => '?').join()})`;
  const [after, upTo] = shape.order === 'asc' ? ['>', '<='] : ['<', '>='];
  return [
    ...compare(shape, 'entry'),
    ...(shape.hasAfter ? [`${key} ${after} ${values}`] : []),
    ...(shape.hasUntil ? [`${key} ${upTo} ${values}`] : []),
  ].join(' AND ');
}
