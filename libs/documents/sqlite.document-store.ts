import { LOG_START } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';
import { orIfUnavailable, Sqlite, type Statement } from '#libs/platform/sqlite/sqlite.js';
import { formatProjectionVersion, type LeaseEnd } from './build-name.js';
import type { CommitBatch, ProjectionCheckpoint, Collection, DocumentStore, Lease } from './document-store.port.js';
import { BuildWriter } from './sqlite.build-writer.js';
import { SqliteBuilds } from './sqlite.builds.js';
import { liveCheckpoints, SqliteCheckpoints } from './sqlite.checkpoints.js';
import { SqliteCollection } from './sqlite.collection.js';
import { SqliteCommits } from './sqlite.commits.js';
import { SqliteLeases } from './sqlite.leases.js';
import { FILE_OPTIONS, liveBuilds, SCHEMA } from './sqlite.schema.js';

/** Memory mapping makes a document a third cheaper to read between commits of the projector's connection. */
const MAPPED_BYTES = 256 * 1024 * 1024;
/** Readers notice a new live build within this time. The replaced build is kept for 10 minutes. */
export const LIVE_POLL_MS = 1_000;
const PURGE_POLLS_MAX = 64;

export class SqliteDocumentStore implements DocumentStore {
  readonly kind = 'sqlite';
  private readonly leases: SqliteLeases;
  private readonly shared: SqliteCheckpoints;
  private readonly committing: SqliteCommits;
  readonly builds: SqliteBuilds;
  private readonly collections: SqliteCollection<JsonObject>[] = [];
  private readonly timer: NodeJS.Timeout;
  /** Whether the write-ahead log may hold erased data. True at start, since the last process may have died. */
  private needsPurge = true;
  /** Number of polls until the next attempt, and the number after it if it fails. */
  private purging = { remainingPolls: 0, nextPolls: 1 };
  private readonly markStopped;
  private readonly live;
  private readonly liveCheckpoints;
  private readonly changes: Statement<[number]>;
  /** Changes with every commit of another connection. */
  private readonly commits: Statement<[number]>;
  private lastRead: { readonly commit: number | undefined; readonly checkpoints: ProjectionCheckpoint[] } | undefined;
  private switches = 0;
  private currentVersion: string | undefined;

  private constructor(
    file: string,
    private readonly writer: Sqlite,
    private readonly reader: Sqlite,
  ) {
    const checkpoints = (this.shared = new SqliteCheckpoints(writer));
    const leases = (this.leases = new SqliteLeases(writer, checkpoints));
    const writing = new BuildWriter(writer, leases);
    this.committing = new SqliteCommits(writer, { checkpoints, leases, writing });
    this.builds = new SqliteBuilds({ file, writer, reader, checkpoints, leases, writing });
    this.live = liveBuilds(reader);
    this.liveCheckpoints = liveCheckpoints(reader);
    this.changes = reader.prepare<[number]>('SELECT count FROM changes');
    this.commits = reader.prepare('PRAGMA data_version');
    this.markStopped = writer.prepare(
      `INSERT INTO checkpoints (build, position, stopped) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET stopped = excluded.stopped`,
    );
    this.timer = setInterval(() => this.refresh(), LIVE_POLL_MS).unref();
  }

  static open(file: string, busyTimeoutMs?: number): SqliteDocumentStore {
    const options = { ...FILE_OPTIONS, busyTimeoutMs };
    const openReader = () => Sqlite.open(file, { ...options, mappedBytes: MAPPED_BYTES });
    return Sqlite.load(
      file,
      { ...options, schema: SCHEMA },
      writer => new SqliteDocumentStore(file, writer, openReader()),
    );
  }

  async open<D extends JsonObject>(projection: Projection<D>): Promise<Collection<D>> {
    const isOpened = this.collections.some(
      each => formatProjectionVersion(each.projection) === formatProjectionVersion(projection),
    );
    const name = (isOpened ? this.live(projection) : undefined) ?? this.builds.open(projection);
    const collection = new SqliteCollection<D>(this.reader, projection, name);
    this.collections.push(collection);
    this.lastRead = undefined;
    return collection;
  }

  check(bytesMax?: number): void {
    this.reader.check(bytesMax);
  }

  async commit(batches: readonly CommitBatch[], ...leases: readonly Lease[]): Promise<void> {
    await this.committing.run(batches, leases);
    this.forget();
  }

  async checkpoints(): Promise<ProjectionCheckpoint[]> {
    const commit = this.commits.one()?.[0];
    if (this.lastRead?.commit !== commit) this.lastRead = { commit, checkpoints: this.readCheckpoints() };
    return this.lastRead!.checkpoints;
  }

  private readCheckpoints(): ProjectionCheckpoint[] {
    const live = this.followLive();
    const opened = new Map(this.collections.map(each => [formatProjectionVersion(each.projection), each]));
    return [...opened].map(([id, { projection, buildName }]) => {
      const { build, position, stopped } = live.get(id) ?? { build: buildName, position: LOG_START, stopped: null };
      return { name: projection.name, version: projection.version, build, position, stopped };
    });
  }

  async stop(projection: CommitBatch['projection'], reason: string, lease: Lease): Promise<void> {
    await this.writer.writeWhenUnlocked(() => {
      this.leases.check(lease);
      const { build, position } = this.committing.live().get(formatProjectionVersion(projection))!;
      this.shared.dissolve();
      this.markStopped.run(build, position, reason);
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

  async listLeases(): Promise<LeaseEnd[]> {
    return this.leases.ends();
  }

  async release(...leases: readonly Lease[]): Promise<void> {
    await this.writer.writeWhenUnlocked(() => leases.forEach(lease => this.leases.release(lease)));
  }

  /**
   * Counts commits of documents and switches of builds. Read once per turn of the event loop, which includes everything
   * that happened before its requests were sent.
   */
  version(): string | undefined {
    if (this.currentVersion === undefined) setImmediate(() => this.forget());
    return (this.currentVersion ??= this.readVersion());
  }

  /** The old pages remain in the write-ahead log until it can be emptied. */
  purge(): void {
    this.needsPurge = true;
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.reader.close();
    this.writer.close();
  }

  private readVersion(): string | undefined {
    const commits = orIfUnavailable(() => this.changes.one()?.[0], undefined);
    return commits === undefined ? undefined : `${commits}/${this.switches}`;
  }

  private forget(): void {
    this.currentVersion = undefined;
  }

  private tryPurge(): void {
    if ((this.purging.remainingPolls -= 1) > 0) return;
    this.needsPurge = !this.writer.tryCheckpoint();
    this.purging = this.needsPurge
      ? { remainingPolls: this.purging.nextPolls, nextPolls: Math.min(PURGE_POLLS_MAX, this.purging.nextPolls * 2) }
      : { remainingPolls: 0, nextPolls: 1 };
  }

  private refresh(): void {
    if (this.needsPurge) this.tryPurge();
    orIfUnavailable(() => void this.followLive(), undefined);
    this.forget();
  }

  private followLive() {
    const live = this.liveCheckpoints();
    for (const each of this.collections) {
      if (!each.follow(live.get(formatProjectionVersion(each.projection))?.build ?? each.buildName)) continue;
      this.switches += 1;
      this.forget();
    }
    return live;
  }
}
