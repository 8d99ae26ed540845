import { setTimeout as pause } from 'node:timers/promises';
import { LOG_START, type Position } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';
import type { Sqlite } from '#libs/platform/sqlite/sqlite.js';
import {
  buildPrefix,
  findUnused,
  formatProjectionVersion,
  isAbandoned,
  LONG_AGO,
  nextBuildName,
  type ProjectionVersion,
} from './build-name.js';
import type { Builds, FillThread, NewBuild, NewBuilds } from './builds.port.js';
import { CommitConflict, type Lease } from './document-store.port.js';
import { type BuildWriter, GENTLE_STEP_MS } from './sqlite.build-writer.js';
import type { SqliteCheckpoints } from './sqlite.checkpoints.js';
import { SqliteCollection } from './sqlite.collection.js';
import { SqliteFillThread } from './sqlite.fill-thread.js';
import type { SqliteLeases } from './sqlite.leases.js';
import { abandonListIndexes, deleteEntries } from './sqlite.indexes.js';
import { copyIndexes, liveBuilds, makeBuild } from './sqlite.schema.js';

const DROP_ROWS = 500;

interface SqliteBuildsParts {
  readonly file: string;
  readonly writer: Sqlite;
  readonly reader: Sqlite;
  readonly checkpoints: SqliteCheckpoints;
  readonly leases: SqliteLeases;
  readonly writing: BuildWriter;
}

export class SqliteBuilds implements Builds {
  private readonly live;
  private readonly statements;

  constructor(private readonly parts: SqliteBuildsParts) {
    const { writer } = parts;
    this.live = liveBuilds(writer);
    this.statements = {
      like: writer.prepare<[build: string, filling: number, retired: number]>(
        'SELECT build, filling, retired_at IS NOT NULL FROM checkpoints WHERE substr(build, 1, length(?1)) = ?1',
      ),
      begin: writer.prepare(
        'INSERT INTO checkpoints (build, position, filling) VALUES (?, ?, 1) ON CONFLICT DO NOTHING',
      ),
      filled: writer.prepare('UPDATE checkpoints SET filling = 0 WHERE build = ?'),
      reached: writer.prepare<[Position]>('SELECT position FROM reached WHERE build = ?'),
      all: writer.prepare<[name: string, version: number]>('SELECT projection, version FROM live'),
      addPointer: writer.prepare('INSERT INTO live (projection, version, build) VALUES (?, ?, ?)'),
      unpoint: writer.prepare('DELETE FROM live WHERE projection = ? AND version = ?'),
      point: writer.prepare('UPDATE live SET build = ? WHERE projection = ? AND version = ?'),
      changed: writer.prepare('UPDATE changes SET count = count + 1'),
      retire: writer.prepare(
        `INSERT INTO checkpoints (build, position, retired_at) VALUES (?, ?, ?) ON CONFLICT DO UPDATE
          SET retired_at = excluded.retired_at`,
      ),
      retired: writer.prepare<[string]>('SELECT build FROM checkpoints WHERE retired_at < ?'),
      isLive: writer.prepare<[number]>('SELECT 1 FROM live WHERE build = ?'),
      hasTable: writer.prepare<[number]>("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?"),
      forget: writer.prepare('DELETE FROM checkpoints WHERE build = ?'),
    };
  }

  /** Returns the name of the live build, and creates it if there is none. */
  open(projection: Projection): string {
    return this.parts.writer.write(() => {
      const live = this.live(projection);
      const name = live ?? this.nextName(projection);
      if (live === undefined) this.statements.addPointer.run(projection.name, projection.version, name);
      makeBuild(this.parts.writer, name, projection.indexes);
      return name;
    });
  }

  /** One write for all: after each write that creates tables, every connection reads the schema again. */
  async begin<const P extends readonly Projection[]>(...projections: P): Promise<NewBuilds<P>> {
    const names = this.parts.writer.write(() => projections.map(each => this.unfinished(each)));
    return projections.map((each, at) => this.build(each, names[at]!)) as NewBuilds<P>;
  }

  async listLive(): Promise<ProjectionVersion[]> {
    return this.statements.all.all().map(([name, version]) => ({ name, version }));
  }

  async startOver(projection: Projection, lease: Lease, now: number): Promise<void> {
    this.parts.writer.write(() => {
      this.parts.leases.check(lease);
      const live = this.live(projection)!;
      const unfinished = this.listUnfinished(projection);
      const name = this.nextName(projection, live);
      this.make(projection, name, live);
      this.statements.point.run(name, projection.name, projection.version);
      this.parts.checkpoints.dissolve();
      for (const build of [...unfinished, live]) this.retire(build, now);
      this.statements.changed.run();
    });
  }

  async retireUnused(current: readonly Projection[], before: number, now: number): Promise<void> {
    if (this.unused(current, before).builds.length === 0) return;
    this.parts.writer.write(() => {
      const { others, builds } = this.unused(current, before);
      for (const { name, version } of others) this.statements.unpoint.run(name, version);
      this.parts.checkpoints.dissolve();
      for (const build of builds) this.retire(build, now);
    });
  }

  private unused(current: readonly Projection[], before: number) {
    const all = this.statements.all.all().map(([name, version]) => ({ name, version }));
    const leases = this.parts.leases.ends();
    const others = findUnused(all, leases, current, before);
    const builds = others.flatMap(each => [this.live(each)!, ...this.listUnfinished(each)]);
    const left = all.filter(each => !others.includes(each) && isAbandoned(each, leases, before));
    return { others, builds: [...builds, ...left.flatMap(each => this.listUnfinished(each))] };
  }

  private listUnfinished(projection: ProjectionVersion): string[] {
    const live = this.live(projection);
    const builds = this.statements.like.all(buildPrefix(projection));
    return builds.flatMap(([build, filling, retired]) => (filling && !retired && build !== live ? [build] : []));
  }

  fill(...args: Parameters<Builds['fill']>): Promise<void> {
    return this.parts.writing.fill(...args);
  }

  fillThread(): FillThread {
    return new SqliteFillThread(this.parts.file);
  }

  async switchTo(builds: readonly NewBuild[], leases: readonly Lease[], now: number): Promise<void> {
    this.parts.writer.write(() => {
      for (const lease of leases) this.parts.leases.check(lease);
      this.parts.checkpoints.dissolve();
      for (const { projection, name } of builds) this.point(projection, name, now);
      this.statements.changed.run();
    });
  }

  async drop(build: string, ended?: AbortSignal): Promise<void> {
    if (ended?.aborted) return;
    if (this.statements.isLive.one(build)) throw new Error(`${build} is the live build.`);
    const { writer, writing } = this.parts;
    const entries = writer.write(() => {
      // Another process may have dropped it since it was listed.
      if (!this.statements.hasTable.one(build)) return void this.statements.forget.run(build);
      // After a kill the next sweep resumes, and no fill continues this build.
      this.retire(build, LONG_AGO);
      return abandonListIndexes(writer, build);
    });
    if (!entries) return;
    for (let hasRows = true; hasRows; await pause(GENTLE_STEP_MS)) {
      if (ended?.aborted) return;
      hasRows = writer.write(() => this.deleteSomeRows(build, entries));
    }
    writer.write(() => {
      for (const table of [build, ...entries]) writer.exec(`DROP TABLE IF EXISTS "${table}"`);
      this.statements.forget.run(build);
    });
    writing.forget(build);
  }

  async sweep(before: number, ended?: AbortSignal): Promise<void> {
    for (const [build] of this.statements.retired.all(before)) await this.drop(build, ended);
  }

  async reached({ name }: NewBuild): Promise<Position> {
    return this.position(name);
  }

  private unfinished(projection: Projection): string {
    const live = this.live(projection);
    if (live === undefined) throw new Error(`${formatProjectionVersion(projection)} was never opened.`);
    const name = this.listUnfinished(projection)[0] ?? this.nextName(projection, live);
    this.statements.begin.run(name, LOG_START);
    this.make(projection, name, live);
    return name;
  }

  /** A name in use, also by a retired build, is never chosen again. */
  private nextName(projection: Projection, live?: string): string {
    const builds = this.statements.like.all(buildPrefix(projection)).map(([build]) => build);
    return nextBuildName(projection, live === undefined ? builds : [live, ...builds]);
  }

  private make(projection: Projection, name: string, live: string): void {
    makeBuild(this.parts.writer, name, projection.indexes);
    copyIndexes(this.parts.writer, live, name);
  }

  private build(projection: Projection, name: string): NewBuild {
    return { projection, name, collection: new SqliteCollection(this.parts.reader, projection, name) };
  }

  private point(projection: Projection, name: string, now: number): void {
    const live = this.live(projection)!;
    const [reached, position] = [this.position(live), this.position(name)];
    if (position < reached) throw new CommitConflict(`${name} is at ${position}, ${live} at ${reached}.`);
    copyIndexes(this.parts.writer, live, name);
    this.statements.filled.run(name);
    this.statements.point.run(name, projection.name, projection.version);
    this.retire(live, now);
  }

  private retire(build: string, now: number): void {
    this.statements.retire.run(build, this.position(build), now);
  }

  private position(build: string): Position {
    return this.statements.reached.one(build)?.[0] ?? LOG_START;
  }

  private deleteSomeRows(build: string, entries: readonly string[]): boolean {
    const { writer } = this.parts;
    if (!this.statements.reached.one(build)) return false;
    if (entries.some(table => deleteEntries(writer, table, DROP_ROWS) > 0)) return true;
    const some = `SELECT id FROM "${build}" LIMIT ${DROP_ROWS}`;
    return writer.prepare(`DELETE FROM "${build}" WHERE id IN (${some})`).run() > 0;
  }
}
