import type { TermIntersection } from './document-store.port.js';
import { listFieldPosition } from './index-range.js';
import { columnOf, indexName } from './sqlite.index-name.js';

export interface IntersectionShape {
  readonly build: string;
  readonly fields: readonly string[];
  readonly order: TermIntersection['order'];
  readonly hasAfter: boolean;
  readonly hasUntil: boolean;
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
