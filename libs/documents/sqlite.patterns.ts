import type { JsonObject } from '#libs/kernel/json.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import type { Statement } from '#libs/platform/sqlite/sqlite.js';
import type { RarestPattern, TextPattern } from './document-store.port.js';
import { listFieldPosition } from './index-range.js';
import { columnOf, indexName } from './sqlite.indexes.js';
import { type Row, toParam, toStoredDocument } from './sqlite.rows.js';

interface ListIndex {
  readonly build: string;
  readonly fields: readonly string[];
}

/** Sorts after every text that begins with the prefix. */
const LAST_CHARACTER = '\u{10ffff}';

export function findRarest<D extends JsonObject>(
  { equals, patterns, within }: RarestPattern,
  index: ListIndex,
  prepare: <R extends unknown[]>(sql: string) => Statement<R>,
): StoredDocument<D>[] {
  const values = equals.map(toParam);
  /** An empty range for no prefix. */
  const boundsOf = ({ prefix }: TextPattern) => (prefix === null ? ['', ''] : [prefix, prefix + LAST_CHARACTER]);
  const paramsOf = (pattern: TextPattern) => [
    ...[...values, ...boundsOf(pattern), ...values, JSON.stringify(pattern.texts)],
    within,
  ];
  const count = prepare<[number]>(buildCountSql(index));
  const counts = patterns.map(pattern => count.one(...paramsOf(pattern))![0]);
  const rarest = patterns[counts.indexOf(Math.min(...counts))]!;
  return prepare<Row>(buildPatternSql(index))
    .all(...paramsOf(rarest))
    .map(toStoredDocument<D>);
}

/** Parameters: compared values, bounds of the prefix, compared values, texts as JSON, limit. */
export const buildCountSql = (index: ListIndex) => `SELECT count(*) FROM (${entriesOf(index)})`;

/** Parameters: as `buildCountSql`. */
export const buildPatternSql = (index: ListIndex) =>
  `SELECT id, position, body FROM (SELECT DISTINCT document FROM (${entriesOf(index)})) AS entry ` +
  `CROSS JOIN "${index.build}" ON id = entry.document`;

/** Two branches instead of `OR`, for which SQLite would not use the index. */
function entriesOf({ build, fields }: ListIndex): string {
  const at = listFieldPosition(fields);
  const equal = fields.slice(0, at).map(field => `${columnOf(field)} = ?`);
  const text = columnOf(fields[at]!);
  const branches = [[`${text} >= ?`, `${text} < ?`], [`${text} IN (SELECT value FROM json_each(?))`]];
  const selects = branches.map(
    conditions => `SELECT document FROM "${indexName(build, fields)}" WHERE ${[...equal, ...conditions].join(' AND ')}`,
  );
  return `${selects.join(' UNION ALL ')} LIMIT ?`;
}
