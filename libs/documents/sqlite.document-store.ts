import { LOG_START } from '#libs/kernel/event.js';
import type { Position } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';
import { Sqlite, orIfUnavailable } from '#libs/platform/sqlite/sqlite.js';
import type { Statement } from '#libs/platform/sqlite/sqlite.js';
import { formatProjectionVersion } from './build-name.js';
import type { Builds } from './builds.port.js';
import type { CommitBatch, ProjectionCheckpoint, Collection, DocumentStore, Lease } from './document-store.port.js';
import { BuildWriter } from './sqlite.build-writer.js';
import { SqliteBuilds } from './sqlite.builds.js';
import { SqliteCheckpoints } from './sqlite.checkpoints.js';
import { SqliteCollection } from './sqlite.collection.js';
import { SqliteCommits } from './sqlite.commits.js';
import { SqliteBuildFiller } from './sqlite.build-filler.js';
import { SqliteLeases } from './sqlite.leases.js';
import { FILE_OPTIONS, liveBuilds, makeLive, SCHEMA } from './sqlite.schema.js';

/** Reads come between commits of the projector's connection, a document costs them a third less so. */
const MAPPED_BYTES = 256 * 1024 * 1024;
/** How soon a reader notices that another build has become the live one. The old one is kept for 10 minutes. */
export const LIVE_POLL_MS = 1_000;
/** About a minute. */
const PURGE_LOOKS_MAX = 64;

/** What is known of one that no process has kept for so long that it was retired: `Builds.retireUnused`. */
const RETIRED_CHECKPOINT = [undefined, null, null] as const;

/** The read models as one SQLite file: a table per build, its documents as JSON with an index per declared one. */
export class SqliteDocumentStore implements DocumentStore {
  readonly kind = 'sqlite';
  private readonly leases: SqliteLeases;
  private readonly shared: SqliteCheckpoints;
  private readonly committing: SqliteCommits;
  readonly builds: Builds;
  private readonly collections: SqliteCollection<JsonObject>[] = [];
  private readonly timer: NodeJS.Timeout;
  /** Whether the write-ahead log may hold what was erased: at start that of a process that died may. */
  private isToBePurged = true;
  /** How many looks pass until the next try, and behind one that failed: each time twice as many. */
  private purging = { in: 0, behind: 1 };
  private readonly halted;
  private readonly live;
  private readonly changes: Statement<[number]>;
  private readonly reached: Statement<[projection: string, build: string, Position | null, stopped: string | null]>;
  /** What SQLite counts up with each commit, whoever's. */
  private readonly commits: Statement<[number]>;
  /** The checkpoints as they stood behind one of these commits. */
  private looked: { readonly commit: number | undefined; readonly checkpoints: ProjectionCheckpoint[] } | undefined;
  /** How often a reader went over to another build. */
  private moves = 0;
  /** The version of this turn of the event loop. */
  private known: string | undefined;

  private constructor(
    file: string,
    private readonly writer: Sqlite,
    private readonly reader: Sqlite,
  ) {
    const writing = new BuildWriter(writer);
    const checkpoints = (this.shared = new SqliteCheckpoints(writer));
    const leases = (this.leases = new SqliteLeases(writer, checkpoints));
    this.committing = new SqliteCommits(writer, { checkpoints, leases, writing });
    const filler = new SqliteBuildFiller(writer, leases, writing);
    this.builds = new SqliteBuilds({ file, writer, reader, checkpoints, leases, writing, filler });
    this.live = liveBuilds(reader);
    this.changes = reader.prepare<[number]>('SELECT count FROM changes');
    this.commits = reader.prepare('PRAGMA data_version');
    this.reached = reader.prepare(
      "SELECT projection || '@' || version, build, position, stopped FROM live LEFT JOIN reached USING (build)",
    );
    this.halted = writer.prepare(
      `INSERT INTO checkpoints (build, position, stopped) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET stopped = excluded.stopped`,
    );
    this.timer = setInterval(() => this.refresh(), LIVE_POLL_MS).unref();
  }

  /** Opens the file, makes it where there is none. `busyTimeoutMs`: how long to wait for another process's commit. */
  static open(file: string, busyTimeoutMs?: number): SqliteDocumentStore {
    const options = { ...FILE_OPTIONS, busyTimeoutMs };
    const writer = Sqlite.open(file, { ...options, schema: SCHEMA });
    return new SqliteDocumentStore(file, writer, Sqlite.open(file, { ...options, mappedBytes: MAPPED_BYTES }));
  }

  async open<D extends JsonObject>(projection: Projection<D>): Promise<Collection<D>> {
    const isOpened = this.collections.some(
      each => formatProjectionVersion(each.projection) === formatProjectionVersion(projection),
    );
    const name = (isOpened ? this.live(projection) : undefined) ?? makeLive(this.writer, projection);
    const collection = new SqliteCollection<D>(this.reader, projection, name);
    this.collections.push(collection);
    this.looked = undefined;
    return collection;
  }

  async commit(batches: readonly CommitBatch[], ...leases: readonly Lease[]): Promise<void> {
    await this.committing.run(batches, leases);
    this.forget();
  }

  async checkpoints(): Promise<ProjectionCheckpoint[]> {
    const commit = this.commits.one()?.[0];
    if (this.looked?.commit !== commit) this.looked = { commit, checkpoints: this.readCheckpoints() };
    return this.looked!.checkpoints;
  }

  private readCheckpoints(): ProjectionCheckpoint[] {
    const found = this.followLive();
    const opened = new Map(this.collections.map(each => [formatProjectionVersion(each.projection), each]));
    return [...opened].map(([id, { projection }]) => {
      const [, position, stopped] = found.get(id) ?? RETIRED_CHECKPOINT;
      const { name, version } = projection;
      return { name, version, position: position ?? LOG_START, stopped };
    });
  }

  async stop(projection: CommitBatch['projection'], reason: string, lease: Lease): Promise<void> {
    await this.writer.writeWhenUnlocked(() => {
      this.leases.check(lease);
      const { build, position } = this.committing.live().get(formatProjectionVersion(projection))!;
      this.shared.dissolve();
      this.halted.run(build, position, reason);
    });
  }

  async lease(name: string, holder: string, ttlMs: number, now: number): Promise<Lease | null> {
    return (await this.leaseAll([name], holder, ttlMs, now))[0] ?? null;
  }

  async leaseAll(names: readonly string[], holder: string, ttlMs: number, now: number): Promise<Lease[]> {
    return this.leases.take(names, holder, ttlMs, now);
  }

  async seize(name: string, holder: string, ttlMs: number, now: number): Promise<Lease> {
    return this.leases.seize(name, holder, ttlMs, now);
  }

  async release(...leases: readonly Lease[]): Promise<void> {
    await this.writer.writeWhenUnlocked(() => leases.forEach(lease => this.leases.release(lease)));
  }

  /**
   * How many commits have written documents, and how often a reader went over to another build. Looked up once in a
   * turn of the event loop: whatever a request of this turn was sent after had happened by its beginning.
   */
  version(): string | undefined {
    if (this.known === undefined) setImmediate(() => this.forget());
    return (this.known ??= this.readVersion());
  }

  /** The pages as they were stand in the write-ahead log, which is emptied as soon as nobody is in the way. */
  purge(): void {
    this.isToBePurged = true;
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.reader.close();
    this.writer.close();
  }

  private readVersion(): string | undefined {
    const commits = orIfUnavailable(() => this.changes.one()?.[0], undefined);
    return commits === undefined ? undefined : `${commits}/${this.moves}`;
  }

  private forget(): void {
    this.known = undefined;
  }

  /** What readers are in the way of is moved again and again, so it is tried more seldom each time. */
  private tryPurge(): void {
    if ((this.purging.in -= 1) > 0) return;
    this.isToBePurged = !this.writer.tryCheckpoint();
    this.purging = this.isToBePurged
      ? { in: this.purging.behind, behind: Math.min(PURGE_LOOKS_MAX, this.purging.behind * 2) }
      : { in: 0, behind: 1 };
  }

  private refresh(): void {
    if (this.isToBePurged) this.tryPurge();
    orIfUnavailable(() => void this.followLive(), undefined);
    this.forget();
  }

  /** Lets every collection read its live build, by one question. Returns the live builds by projection. */
  private followLive() {
    const found = new Map(this.reached.all().map(([projection, ...row]) => [projection, row]));
    for (const each of this.collections) {
      if (!each.follow(found.get(formatProjectionVersion(each.projection))?.[0] ?? each.buildName)) continue;
      this.moves += 1;
      this.forget();
    }
    return found;
  }
}
