import type { Sqlite } from '#libs/platform/sqlite/sqlite.js';
import { fieldName, isSparse, listFieldPosition } from './index-range.js';

const FIELD = /^[a-z_]+$/;

export function columnOf(field: string): string {
  const name = fieldName(field);
  if (!FIELD.test(name)) throw new Error(`${field} cannot be an indexed field.`);
  return `f_${name}`;
}

/** Whether an index has the row, by its first value. SQLite sorts texts after numbers; null is minus infinity, false 0. */
export const indexCondition = (fields: readonly string[], first = columnOf(fields[0]!)) =>
  isSparse(fields) ? `${first} > 0` : 'TRUE';

/** Contains the fields, so that a changed declaration gets another index. */
export function indexName(build: string, fields: readonly string[]): string {
  return `${build}:${fields.join(',')}`;
}

/** Names of a table's columns, including generated ones. */
export const listColumns = (writer: Sqlite, table: string): string[] =>
  writer.prepare<[string]>('SELECT name FROM pragma_table_xinfo(?)').all(table).flat();

/*
 * An index with a list field is a table: a row for each text of each document, with the other fields and the id.
 * Triggers maintain it.
 */
const columnsOf = (fields: readonly string[]) => [...fields.map(columnOf), 'document'].join(', ');

export const entryColumns = (fields: readonly string[]) => [
  ...fields.map(field => `entry.${columnOf(field)}`),
  'entry.document',
];

export const entriesFrom = (build: string, fields: readonly string[]) =>
  `"${indexName(build, fields)}" AS entry CROSS JOIN "${build}" ON id = entry.document`;

/** Duplicate texts of a list share one row. In a trigger the outer statement overrides `OR IGNORE`. */
const IGNORE_DUPLICATES = 'ON CONFLICT DO NOTHING';

export function makeListIndex(writer: Sqlite, build: string, fields: readonly string[]): void {
  const table = indexName(build, fields);
  if (tablesFrom(writer, table).includes(table)) return;
  const columns = columnsOf(fields);
  const differs = fields
    .map(field => `${buildBodyExpression('old', field)} IS NOT ${buildBodyExpression('new', field)}`)
    .join(' OR ');
  const add = `INSERT INTO "${table}" (${columns}) SELECT ${rowsOf('new', fields)} ${IGNORE_DUPLICATES}`;
  const remove = `DELETE FROM "${table}" WHERE (${columns}) IN (SELECT ${rowsOf('old', fields)})`;
  writer.exec(`
    CREATE TABLE "${table}" (${columns}, PRIMARY KEY (${columns})) WITHOUT ROWID;
    INSERT INTO "${table}" (${columns}) SELECT ${rowsOfAll(build, fields)} ${IGNORE_DUPLICATES};
    CREATE TRIGGER "${table}:add" AFTER INSERT ON "${build}" BEGIN ${add}; END;
    CREATE TRIGGER "${table}:change" AFTER UPDATE ON "${build}" WHEN ${differs} BEGIN ${remove}; ${add}; END;
    CREATE TRIGGER "${table}:remove" AFTER DELETE ON "${build}" BEGIN ${remove}; END;
  `);
}

export function listIndexes(writer: Sqlite, build: string): string[] {
  const prefix = indexName(build, []);
  return tablesFrom(writer, prefix).map(table => table.slice(prefix.length));
}

export function abandonListIndexes(writer: Sqlite, build: string): string[] {
  const tables = tablesFrom(writer, indexName(build, []));
  for (const table of tables)
    for (const trigger of ['add', 'change', 'remove']) writer.exec(`DROP TRIGGER IF EXISTS "${table}:${trigger}"`);
  return tables;
}

export function deleteEntries(writer: Sqlite, table: string, max: number): number {
  const columns = listColumns(writer, table).join(', ');
  const rows = `SELECT ${columns} FROM "${table}" LIMIT ${max}`;
  return writer.prepare(`DELETE FROM "${table}" WHERE (${columns}) IN (${rows})`).run();
}

function tablesFrom(writer: Sqlite, prefix: string): string[] {
  const named = writer.prepare<[string]>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, length(?1)) = ?1",
  );
  return named.all(prefix).flat();
}

const buildBodyExpression = (row: string, field: string) => `json_extract(${row}.body, '$.${fieldName(field)}')`;

/**
 * Selects a row for each text of a document's list, possibly with duplicates. `LIMIT` makes SQLite compute the common
 * fields once. `WHERE` keeps SQLite from parsing a following `ON CONFLICT` as a join.
 */
function rowsOf(row: 'old' | 'new', fields: readonly string[]): string {
  const common = fields.filter((_field, at) => at !== listFieldPosition(fields));
  const values = common.map(field => `${buildIndexedExpression(row, field)} AS ${columnOf(field)}`);
  const one = values.length === 0 ? '' : `(SELECT ${values.join(', ')} LIMIT 1) AS one CROSS JOIN `;
  const columns = fields.map((field, at) =>
    at === listFieldPosition(fields) ? 'text.value' : `one.${columnOf(field)}`,
  );
  return `${columns.join(', ')}, ${row}.id FROM ${one}${textsOf(row, fields)} WHERE ${indexCondition(fields)}`;
}

function rowsOfAll(build: string, fields: readonly string[]): string {
  const columns = fields.map((field, at) =>
    at === listFieldPosition(fields) ? 'text.value' : buildIndexedExpression('made', field),
  );
  const isIn = indexCondition(fields, buildIndexedExpression('made', fields[0]!));
  return `${columns.join(', ')}, made.id FROM "${build}" AS made, ${textsOf('made', fields)} WHERE ${isIn}`;
}

const buildIndexedExpression = (row: string, field: string) => `ifnull(${buildBodyExpression(row, field)}, -9e999)`;
const textsOf = (row: string, fields: readonly string[]) =>
  `json_each(${row}.body, '$.${fieldName(fields[listFieldPosition(fields)]!)}') AS text`;
