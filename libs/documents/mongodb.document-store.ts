import type { ClientSession } from 'mongodb';
import { LOG_START } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';
import { MongoConnection } from '#libs/platform/mongodb/connection.js';
import { TransactionPool } from '#libs/platform/mongodb/transaction.js';
import { formatProjectionVersion, type LeaseEnd } from './build-name.js';
import { MongoBuilds } from './mongodb.builds.js';
import { MongoCollection } from './mongodb.collection.js';
import { MongoCommits } from './mongodb.commits.js';
import { MongoBuildStore } from './mongodb.build-store.js';
import { MongoLeases } from './mongodb.leases.js';
import type { CommitBatch, ProjectionCheckpoint, Collection, DocumentStore, Lease } from './document-store.port.js';

/** Readers notice a new live build within this time. The replaced build is kept for 10 minutes. */
const LIVE_POLL_MS = 1_000;

export class MongoDocumentStore implements DocumentStore {
  readonly kind = 'mongodb';
  readonly builds: MongoBuildStore;
  private readonly registry: MongoBuilds;
  private readonly leases: MongoLeases;
  private readonly transactions: TransactionPool;
  private readonly commits: MongoCommits;
  private readonly collections: MongoCollection<JsonObject>[] = [];
  private readonly timer: NodeJS.Timeout;
  private following: Promise<void> | null = null;

  private constructor(private readonly connection: MongoConnection) {
    this.transactions = new TransactionPool(connection.client);
    this.registry = new MongoBuilds(connection, this.transactions);
    this.leases = new MongoLeases(connection.db, this.transactions, this.registry.checkpoints);
    const { transactions, registry: builds, leases } = this;
    this.commits = new MongoCommits(connection.db, { transactions, builds, leases });
    this.builds = new MongoBuildStore(connection, this.registry, this.leases, this.transactions);
    this.timer = setInterval(() => {
      this.following ??= this.follow().finally(() => (this.following = null));
    }, LIVE_POLL_MS).unref();
  }

  /** `url` names the database. Throws `Unavailable`, or an `Error` for an unsupported server. */
  static async open(url: string): Promise<MongoDocumentStore> {
    return new MongoDocumentStore(await MongoConnection.open(url, 'The document store'));
  }

  async open<D extends JsonObject>(projection: Projection<D>): Promise<Collection<D>> {
    const { connection, registry, leases } = this;
    const build = await connection.run(() => registry.open(projection, leases));
    const collection = new MongoCollection<D>(connection, registry, projection, build);
    this.collections.push(collection);
    return collection;
  }

  async commit(batches: readonly CommitBatch[], ...leases: readonly Lease[]): Promise<void> {
    await this.connection.run(() => this.commits.run(batches, leases));
  }

  async checkpoints(): Promise<ProjectionCheckpoint[]> {
    const opened = this.listOpened();
    const readCheckpoints = () =>
      this.connection.run(() => this.registry.checkpoints.look(opened.map(each => each.buildName)));
    let checkpoints = await readCheckpoints();
    if (checkpoints.some(each => !each || each.isReplaced)) {
      await this.follow();
      checkpoints = await readCheckpoints();
    }
    return opened.map(({ projection: { name, version }, buildName: build }, index) => {
      const { position = LOG_START, stopped = null } = checkpoints[index] ?? {};
      return { name, version, build, position, stopped };
    });
  }

  stop(projection: CommitBatch['projection'], reason: string, lease: Lease): Promise<void> {
    const markStopped = async (session: ClientSession) => {
      await this.leases.check([lease], session);
      await this.registry.stop(projection, reason, session);
    };
    return this.connection.run(() => this.transactions.run(markStopped));
  }

  async lease(name: string, holder: string, ttlMs: number, now: number): Promise<Lease | null> {
    return (await this.leaseAll([name], holder, ttlMs, now))[0] ?? null;
  }

  leaseAll(names: readonly string[], holder: string, ttlMs: number, now: number): Promise<Lease[]> {
    return this.connection.run(() => this.leases.take(names, holder, ttlMs, now));
  }

  seize(name: string, holder: string, ttlMs: number, now: number): Promise<Lease> {
    return this.connection.run(() => this.leases.seize(name, holder, ttlMs, now));
  }

  listLeases(): Promise<LeaseEnd[]> {
    return this.connection.run(() => this.leases.ends());
  }

  release(...leases: readonly Lease[]): Promise<void> {
    this.commits.forget();
    return this.connection.run(() => this.leases.release(leases));
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.transactions.close();
    await this.connection.close();
  }

  private listOpened(): MongoCollection<JsonObject>[] {
    const all = this.collections.map(each => [formatProjectionVersion(each.projection), each] as const);
    return [...new Map(all).values()];
  }

  private async follow(): Promise<void> {
    const projections = this.collections.map(({ projection }) => projection);
    try {
      const live = await this.connection.run(() => this.registry.of(projections));
      live.forEach(({ build }, index) => this.collections[index]!.follow(build));
    } catch {
      // The next poll tries again.
    }
  }
}
