import type { Projection } from '#libs/kernel/projection.js';
import type { Sqlite, Statement } from '#libs/platform/sqlite/sqlite.js';
import { buildPrefix, nextBuildName } from './build-name.js';
import { listFieldPosition } from './index-range.js';
import { columnOf, indexName } from './sqlite.index-name.js';
import { listIndexes, makeListIndex } from './sqlite.list-index.js';

/**
 * How every connection opens the file. What is deleted is overwritten, so that no unused byte says what was erased:
 * measured, a commit takes as long with it as without.
 */
export const FILE_OPTIONS = {
  what: 'The document store',
  synchronous: 'NORMAL',
  pageBytes: 2_048,
  isSecret: true,
} as const;

/**
 * `live` names the build that readers use: a rebuild fills another table beside it and moves this pointer in one
 * write. `checkpoints` is kept for every build, live or not: why it stopped, whether it is being filled beside the
 * live one, and when
 * (unix ms) it was retired. Builds that move together name one more row in `shared`, whose position is theirs: `reached`
 * has the position of each build. A free lease has no holder and the next holder's epoch. `changes` has one row: how
 * many commits have written documents.
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

function columnsOf(writer: Sqlite, table: string): string[] {
  return writer.prepare<[string]>('SELECT name FROM pragma_table_xinfo(?)').all(table).flat();
}

export type Indexes = Projection['indexes'];

/** The name of the live build, and the statement that finds it: prepared once for every connection. */
export function liveBuilds(
  connection: Sqlite,
): (projection: Pick<Projection, 'name' | 'version'>) => string | undefined {
  const find: Statement<[string]> = connection.prepare('SELECT build FROM live WHERE projection = ? AND version = ?');
  return ({ name, version }) => find.one(name, version)?.[0];
}

/** Makes the live build of a projection with its table and indexes, where they are missing. Returns its name. */
export function makeLive(writer: Sqlite, projection: Pick<Projection, 'name' | 'version' | 'indexes'>): string {
  return writer.write(() => {
    const name = liveBuilds(writer)(projection) ?? createPointer(writer, projection);
    makeBuild(writer, name, projection.indexes);
    return name;
  });
}

/** Inside a write: to a build whose name no other one has, as those have of a version that was retired and is used again. */
function createPointer(writer: Sqlite, { name, version }: Pick<Projection, 'name' | 'version'>): string {
  const retired = writer.prepare<[string]>(
    'SELECT build FROM checkpoints WHERE retired_at IS NOT NULL AND substr(build, 1, length(?1)) = ?1',
  );
  const build = nextBuildName({ name, version }, retired.all(buildPrefix({ name, version })).flat());
  writer.prepare('INSERT INTO live (projection, version, build) VALUES (?, ?, ?)').run(name, version, build);
  return build;
}

/**
 * Makes a build's table and indexes, where they are missing. A column that is added to a table makes the connection read
 * the definitions of the whole file again, so a new table is made with all of them.
 */
export function makeBuild(writer: Sqlite, build: string, indexes: Indexes): void {
  const [ofLists, plain] = [true, false].map(is =>
    Object.values(indexes).filter(each => listFieldPosition(each) >= 0 === is),
  );
  const fields = [...new Set(plain!.flat())];
  const there = columnsOf(writer, build);
  if (there.length === 0)
    writer.exec(`CREATE TABLE "${build}" (${[...COLUMNS, ...fields.map(buildColumnSql)].join(', ')})`);
  else
    for (const field of fields)
      if (!there.includes(columnOf(field))) writer.exec(`ALTER TABLE "${build}" ADD COLUMN ${buildColumnSql(field)}`);
  for (const index of plain!) writer.exec(buildIndexSql(build, index));
  for (const index of ofLists!) makeListIndex(writer, build, index);
}

/** What every build's table has. */
const COLUMNS = ['id TEXT PRIMARY KEY', 'position TEXT NOT NULL', 'body TEXT NOT NULL'];

/**
 * A field as a column that is computed from the body and stored in indexes only. SQLite seeks by a row value in an
 * index of columns, which it does not in one of expressions. Null, and what is not there, becomes minus infinity,
 * which no JSON number is: it comes first in every order and compares equal to itself.
 */
function buildColumnSql(field: string): string {
  const value = `ifnull(json_extract(body, '$.${field}'), -9e999)`;
  return `${columnOf(field)} GENERATED ALWAYS AS (${value}) VIRTUAL`;
}

function buildIndexSql(build: string, fields: readonly string[]): string {
  const columns = [...fields.map(columnOf), 'id'].join(', ');
  return `CREATE INDEX IF NOT EXISTS "${indexName(build, fields)}" ON "${build}" (${columns})`;
}

/** Gives a build the indexes of another one: other processes may have declared more than this one. */
export function copyIndexes(writer: Sqlite, from: string, to: string): void {
  const named = writer.prepare<[string]>("SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ?");
  const prefix = indexName(from, []);
  const plain = named
    .all(from)
    .flat()
    .filter(name => name.startsWith(prefix));
  const indexes = [...plain.map(name => name.slice(prefix.length)), ...listIndexes(writer, from)];
  makeBuild(writer, to, Object.fromEntries(indexes.map(fields => [fields, fields.split(',')])));
}
