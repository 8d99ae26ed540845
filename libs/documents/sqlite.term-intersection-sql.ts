import type { TermIntersection } from './document-store.port.js';
import { listFieldPosition } from './index-range.js';
import { columnOf, indexName } from './sqlite.index-name.js';

/** What is asked of one list index, in which order, behind a place and up to one. */
export interface IntersectionShape {
  readonly build: string;
  readonly fields: readonly string[];
  readonly order: TermIntersection['order'];
  readonly isBehind: boolean;
  readonly isUpTo: boolean;
}

/** Values: what is compared, then the place, then how many are passed. Answers the place of the next one. */
export function buildOrderKeySql(shape: IntersectionShape): string {
  return `${rowsOf(shape)} ${orderBy(shape)} LIMIT 1 OFFSET ?`;
}

/**
 * Values: of each text what is compared and the places, then how many. SQLite merges what `INTERSECT` is made of where
 * the answer is in the order of the index.
 */
export function buildMergedSql(shape: IntersectionShape, texts: number): string {
  const common = `${Array<string>(texts).fill(rowsOf(shape)).join(' INTERSECT ')} ${orderBy(shape)} LIMIT ?`;
  return `SELECT id, position, body FROM (${common}) AS entry ${documents(shape)} ${orderBy(shape, 'entry.')}`;
}

/** Values: what is compared of each other text, then of the first one, then the places, then how many. */
export function buildLookUpSql(shape: IntersectionShape, others: number): string {
  const compared = [
    ...listComparedColumns(shape).map(column => `other.${column} = ?`),
    ...listOrderingColumns(shape).map(column => `other.${column} = entry.${column}`),
  ].join(' AND ');
  const besides = Array.from({ length: others }, (_, at) => {
    const other = `other${at}`;
    return `CROSS JOIN ${table(shape)} AS ${other} ON ${compared.replaceAll('other.', `${other}.`)}`;
  });
  const from = [`${table(shape)} AS entry`, ...besides, documents(shape)].join(' ');
  return `SELECT id, position, body FROM ${from} WHERE ${where(shape)} ${orderBy(shape, 'entry.')} LIMIT ?`;
}

const table = ({ build, fields }: IntersectionShape) => `"${indexName(build, fields)}"`;
const documents = ({ build }: IntersectionShape) => `CROSS JOIN "${build}" ON id = entry.document`;
/** The columns that are compared, and those that order. */
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
  const place = `(${ordered.map(column => `entry.${column}`).join()})`;
  const values = `(${ordered.map(() => '?').join()})`;
  const [behind, upTo] = shape.order === 'asc' ? ['>', '<='] : ['<', '>='];
  return [
    ...listComparedColumns(shape).map(column => `entry.${column} = ?`),
    ...(shape.isBehind ? [`${place} ${behind} ${values}`] : []),
    ...(shape.isUpTo ? [`${place} ${upTo} ${values}`] : []),
  ].join(' AND ');
}
