import type { ClientSession } from 'mongodb';
import { LOG_START } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';
import { MongoConnection } from '#libs/platform/mongodb/connection.js';
import { TransactionPool } from '#libs/platform/mongodb/transaction-pool.js';
import { formatProjectionVersion } from './build-name.js';
import { MongoBuilds } from './mongodb.builds.js';
import { MongoCollection } from './mongodb.collection.js';
import { MongoCommits } from './mongodb.commits.js';
import { MongoBuildStore } from './mongodb.build-store.js';
import { MongoLeases } from './mongodb.leases.js';
import type { CommitBatch, ProjectionCheckpoint, Collection, DocumentStore, Lease } from './document-store.port.js';

/** How soon a reader notices that another build has become the live one. The old one is kept for 10 minutes. */
const LIVE_POLL_MS = 1_000;

/** The read models in MongoDB: a collection per build, with an index per declared one; a commit is one transaction. */
export class MongoDocumentStore implements DocumentStore {
  readonly kind = 'mongodb';
  readonly builds: MongoBuildStore;
  private readonly known: MongoBuilds;
  private readonly leases: MongoLeases;
  private readonly transactions: TransactionPool;
  private readonly commits: MongoCommits;
  private readonly collections: MongoCollection<JsonObject>[] = [];
  private readonly timer: NodeJS.Timeout;
  private following: Promise<void> | null = null;

  private constructor(private readonly connection: MongoConnection) {
    this.transactions = new TransactionPool(connection.client);
    this.known = new MongoBuilds(connection, this.transactions);
    this.leases = new MongoLeases(connection.db, this.transactions, this.known.checkpoints);
    const { transactions, known: builds, leases } = this;
    this.commits = new MongoCommits(connection.db, { transactions, builds, leases });
    this.builds = new MongoBuildStore(connection, this.known, this.leases, this.transactions);
    this.timer = setInterval(() => {
      this.following ??= this.follow().finally(() => (this.following = null));
    }, LIVE_POLL_MS).unref();
  }

  /** `url` names the database. Throws `Unavailable`, or a sentence about a server that cannot be used. */
  static async open(url: string): Promise<MongoDocumentStore> {
    return new MongoDocumentStore(await MongoConnection.open(url, 'The document store'));
  }

  async open<D extends JsonObject>(projection: Projection<D>): Promise<Collection<D>> {
    const { connection, known, leases } = this;
    const build = await connection.run(() => known.open(projection, leases));
    const collection = new MongoCollection<D>(connection, known, projection, build);
    this.collections.push(collection);
    return collection;
  }

  async commit(batches: readonly CommitBatch[], ...leases: readonly Lease[]): Promise<void> {
    await this.connection.run(() => this.commits.run(batches, leases));
  }

  async checkpoints(): Promise<ProjectionCheckpoint[]> {
    const opened = this.opened();
    const look = () => this.connection.run(() => this.known.checkpoints.look(opened.map(each => each.buildName)));
    let reached = await look();
    if (reached.some(each => !each || each.isReplaced)) {
      await this.follow();
      reached = await look();
    }
    return opened.map(({ projection: { name, version } }, index) => {
      const { position = LOG_START, stopped = null } = reached[index] ?? {};
      return { name, version, position, stopped };
    });
  }

  stop(projection: CommitBatch['projection'], reason: string, lease: Lease): Promise<void> {
    const halt = async (session: ClientSession) => {
      await this.leases.check([lease], session);
      await this.known.stop(projection, reason, session);
    };
    return this.connection.run(() => this.transactions.run(halt));
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

  release(...leases: readonly Lease[]): Promise<void> {
    this.commits.forget();
    return this.connection.run(() => this.leases.release(leases));
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.transactions.close();
    await this.connection.close();
  }

  /** The collections, one for each projection. */
  private opened(): MongoCollection<JsonObject>[] {
    const all = this.collections.map(each => [formatProjectionVersion(each.projection), each] as const);
    return [...new Map(all).values()];
  }

  /** While the server is away, the live builds are those that they were. */
  private async follow(): Promise<void> {
    const projections = this.collections.map(({ projection }) => projection);
    try {
      const live = await this.connection.run(() => this.known.of(projections));
      live.forEach(({ build }, index) => this.collections[index]!.follow(build));
    } catch {
      // It is asked again in a second.
    }
  }
}
