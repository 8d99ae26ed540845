import type { Projection } from '#libs/kernel/projection.js';
import type { Sqlite, Statement } from '#libs/platform/sqlite/sqlite.js';
import type { ProjectionVersion } from './build-name.js';
import { fieldName, isSparse, listFieldPosition } from './index-range.js';
import { columnOf, indexCondition, indexName, listColumns, listIndexes, makeListIndex } from './sqlite.indexes.js';

/** Erased data is overwritten (`secure_delete`), which does not measurably slow commits. */
export const FILE_OPTIONS = {
  component: 'The document store',
  synchronous: 'NORMAL',
  pageBytes: 2_048,
  isSecret: true,
} as const;

/**
 * `live` points to the build that readers use. `checkpoints` has a row for every build; builds that move together refer
 * to a row in `shared`, whose position is theirs. `changes` counts commits of documents.
 */
export const SCHEMA = `
  CREATE TABLE IF NOT EXISTS live (
    projection TEXT NOT NULL, version INTEGER NOT NULL, build TEXT NOT NULL, PRIMARY KEY (projection, version)
  );
  CREATE TABLE IF NOT EXISTS checkpoints (
    build TEXT PRIMARY KEY, position TEXT NOT NULL, shared TEXT, stopped TEXT, filling INTEGER NOT NULL DEFAULT 0,
    retired_at INTEGER
  );
  CREATE VIEW IF NOT EXISTS reached AS SELECT build, stopped, shared, coalesce(
    (SELECT one.position FROM checkpoints AS one WHERE one.build = own.shared), own.position
  ) AS position FROM checkpoints AS own;
  CREATE TABLE IF NOT EXISTS changes (count INTEGER NOT NULL);
  INSERT INTO changes SELECT 0 WHERE NOT EXISTS (SELECT * FROM changes);
  CREATE TABLE IF NOT EXISTS leases (
    name TEXT PRIMARY KEY, holder TEXT, epoch INTEGER NOT NULL, expires_at INTEGER NOT NULL
  );`;

export function liveBuilds(connection: Sqlite): (projection: ProjectionVersion) => string | undefined {
  const find: Statement<[string]> = connection.prepare('SELECT build FROM live WHERE projection = ? AND version = ?');
  return ({ name, version }) => find.one(name, version)?.[0];
}

/** Creates a new table with all columns at once: each added column makes the connection read the whole schema again. */
export function makeBuild(writer: Sqlite, build: string, indexes: Projection['indexes']): void {
  const all = Object.values(indexes);
  const withList = all.filter(each => listFieldPosition(each) >= 0);
  const plain = all.filter(each => listFieldPosition(each) < 0);
  const fields = [...new Set(plain.flat().map(fieldName))];
  const columns = listColumns(writer, build);
  if (columns.length === 0)
    writer.exec(`CREATE TABLE "${build}" (${[...COLUMNS, ...fields.map(buildColumnSql)].join(', ')})`);
  else
    for (const field of fields)
      if (!columns.includes(columnOf(field))) writer.exec(`ALTER TABLE "${build}" ADD COLUMN ${buildColumnSql(field)}`);
  for (const index of plain) writer.exec(buildIndexSql(build, index));
  for (const index of withList) makeListIndex(writer, build, index);
}

const COLUMNS = ['id TEXT PRIMARY KEY', 'position TEXT NOT NULL', 'body TEXT NOT NULL'];

/**
 * A virtual column, because SQLite seeks by row values only in indexes of columns. Null becomes minus infinity, which
 * is not a JSON number, sorts first and equals itself.
 */
function buildColumnSql(field: string): string {
  const value = `ifnull(json_extract(body, '$.${field}'), -9e999)`;
  return `${columnOf(field)} GENERATED ALWAYS AS (${value}) VIRTUAL`;
}

function buildIndexSql(build: string, fields: readonly string[]): string {
  const columns = [...fields.map(columnOf), 'id'].join(', ');
  const where = isSparse(fields) ? ` WHERE ${indexCondition(fields)}` : '';
  return `CREATE INDEX IF NOT EXISTS "${indexName(build, fields)}" ON "${build}" (${columns})${where}`;
}

export function copyIndexes(writer: Sqlite, from: string, to: string): void {
  const named = writer.prepare<[string]>("SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ?");
  const prefix = indexName(from, []);
  const plain = named.all(from).flatMap(([name]) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
  const indexes = [...plain, ...listIndexes(writer, from)];
  makeBuild(writer, to, Object.fromEntries(indexes.map(fields => [fields, fields.split(',')])));
}
