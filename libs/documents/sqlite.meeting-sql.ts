import type { Meeting } from './port.js';
import { listAt } from './range.js';
import { columnOf, indexName } from './sqlite.index-name.js';

/** What is asked of one list index, in which order, behind a place and up to one. */
export interface MeetingShape {
  readonly build: string;
  readonly fields: readonly string[];
  readonly order: Meeting['order'];
  readonly isBehind: boolean;
  readonly isUpTo: boolean;
}

/** Values: what is compared, then the place, then how many are passed. Answers the place of the next one. */
export function placeSql(shape: MeetingShape): string {
  return `${rowsOf(shape)} ${orderBy(shape)} LIMIT 1 OFFSET ?`;
}

/**
 * Values: of each text what is compared and the places, then how many. SQLite merges what `INTERSECT` is made of where
 * the answer is in the order of the index.
 */
export function mergedSql(shape: MeetingShape, texts: number): string {
  const common = `${Array<string>(texts).fill(rowsOf(shape)).join(' INTERSECT ')} ${orderBy(shape)} LIMIT ?`;
  return `SELECT id, position, body FROM (${common}) AS entry ${documents(shape)} ${orderBy(shape, 'entry.')}`;
}

/** Values: what is compared of each other text, then of the first one, then the places, then how many. */
export function lookedForSql(shape: MeetingShape, others: number): string {
  const compared = [
    ...sameIn(shape).map(column => `other.${column} = ?`),
    ...orderedIn(shape).map(column => `other.${column} = entry.${column}`),
  ].join(' AND ');
  const besides = Array.from({ length: others }, (_, at) => {
    const other = `other${at}`;
    return `CROSS JOIN ${table(shape)} AS ${other} ON ${compared.replaceAll('other.', `${other}.`)}`;
  });
  const from = [`${table(shape)} AS entry`, ...besides, documents(shape)].join(' ');
  return `SELECT id, position, body FROM ${from} WHERE ${where(shape)} ${orderBy(shape, 'entry.')} LIMIT ?`;
}

const table = ({ build, fields }: MeetingShape) => `"${indexName(build, fields)}"`;
const documents = ({ build }: MeetingShape) => `CROSS JOIN "${build}" ON id = entry.document`;
/** The columns that are compared, and those that order. */
const sameIn = ({ fields }: MeetingShape) => fields.slice(0, listAt(fields) + 1).map(columnOf);
const orderedIn = ({ fields }: MeetingShape) => [...fields.slice(listAt(fields) + 1).map(columnOf), 'document'];

const rowsOf = (shape: MeetingShape) =>
  `SELECT ${orderedIn(shape).join()} FROM ${table(shape)} AS entry WHERE ${where(shape)}`;

const orderBy = (shape: MeetingShape, of = '') =>
  `ORDER BY ${orderedIn(shape)
    .map(column => `${of}${column} ${shape.order}`)
    .join()}`;

function where(shape: MeetingShape): string {
  const ordered = orderedIn(shape);
  const place = `(${ordered.map(column => `entry.${column}`).join()})`;
  const values = `(${ordered.map(() => '?').join()})`;
  const [behind, upTo] = shape.order === 'asc' ? ['>', '<='] : ['<', '>='];
  return [
    ...sameIn(shape).map(column => `entry.${column} = ?`),
    ...(shape.isBehind ? [`${place} ${behind} ${values}`] : []),
    ...(shape.isUpTo ? [`${place} ${upTo} ${values}`] : []),
  ].join(' AND ');
}
