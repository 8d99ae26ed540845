import type { Statement } from '#libs/platform/sqlite/sqlite.js';
import type { PatternEntries, PatternQuery, TextQuery } from './document-store.port.js';
import { listFieldPosition } from './index-range.js';
import { columnOf, indexName } from './sqlite.indexes.js';
import { toParam, toScalar } from './sqlite.rows.js';

interface ListIndex {
  readonly build: string;
  readonly fields: readonly string[];
}

/** Sorts after every text that begins with the prefix. */
const LAST_CHARACTER = '\u{10ffff}';

export function findEntries(
  { equals, pattern: { prefix, texts }, within }: PatternQuery,
  index: ListIndex,
  prepare: <R extends unknown[]>(sql: string) => Statement<R>,
): PatternEntries {
  const values = equals.map(toParam);
  const branches = [
    ...(prefix === null ? [] : [{ of: 'prefix' as const, params: [...values, prefix, prefix + LAST_CHARACTER] }]),
    ...(texts.length === 0 ? [] : [{ of: 'texts' as const, params: [JSON.stringify(texts), ...values] }]),
  ];
  if (branches.length === 0) return { keys: [], isComplete: true };
  const sql = buildEntriesSql(
    index,
    branches.map(({ of }) => of),
  );
  const rows = prepare<(string | number)[]>(sql).all(...branches.flatMap(({ params }) => params), within);
  return { keys: rows.map(row => row.map(toScalar)), isComplete: rows.length < within };
}

type Branch = 'prefix' | 'texts';

/**
 * Parameters: for a prefix the compared values and its bounds; for texts their JSON and the compared values; then the
 * limit. A join looks each text up, of `IN` would sort all of them first.
 */
export function buildEntriesSql({ build, fields }: ListIndex, branches: readonly Branch[]): string {
  const at = listFieldPosition(fields);
  const text = columnOf(fields[at]!);
  const equal = fields.slice(0, at).map(field => `${columnOf(field)} = ? AND `);
  const columns = [...fields.slice(at + 1).map(columnOf), 'document'].join();
  const table = `"${indexName(build, fields)}"`;
  const selects = branches.map(branch =>
    branch === 'prefix'
      ? `SELECT ${columns} FROM ${table} WHERE ${equal.join('')}${text} >= ? AND ${text} < ?`
      : `SELECT ${columns} FROM json_each(?) AS one CROSS JOIN ${table} WHERE ${equal.join('')}${text} = one.value`,
  );
  return `${selects.join(' UNION ALL ')} LIMIT ?`;
}

/**
 * Returns the texts of beginnings that some text of the index begins with. Each seek skips the beginnings before the
 * text that it reaches, so that a hundred seeks try thousands of texts.
 */
export function findTexts(
  { equals, families }: TextQuery,
  { build, fields }: ListIndex,
  prepare: <R extends unknown[]>(sql: string) => Statement<R>,
): string[] {
  const at = listFieldPosition(fields);
  const text = columnOf(fields[at]!);
  const equal = fields.slice(0, at).map(field => `${columnOf(field)} = ? AND `);
  const table = `"${indexName(build, fields)}"`;
  const sql = `SELECT ${text} FROM ${table} WHERE ${equal.join('')}${text} >= ? ORDER BY ${text} LIMIT 1`;
  const seek = prepare<[string]>(sql);
  const values = equals.map(toParam);
  const texts: string[] = [];
  let reached: string | undefined = '';
  for (const beginning of [...families.keys()].sort()) {
    if (reached < beginning) reached = seek.one(...values, beginning)?.[0];
    if (reached === undefined) break;
    if (reached.startsWith(beginning)) texts.push(...families.get(beginning)!.map(end => beginning + end));
  }
  return texts;
}
