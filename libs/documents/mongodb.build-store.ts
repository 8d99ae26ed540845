import type { ClientSession } from 'mongodb';
import type { Position } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';
import type { MongoConnection } from '#libs/platform/mongodb/connection.js';
import type { TransactionPool } from '#libs/platform/mongodb/transaction.js';
import { formatProjectionVersion, LONG_AGO, nextBuildName } from './build-name.js';
import type { Builds, FillBatch, RenewLease, NewBuild, NewBuilds } from './builds.port.js';
import {
  type LiveBuildPointer,
  type MongoBuilds,
  filterByProjection,
  type StoredCheckpoint,
} from './mongodb.builds.js';
import { MongoCollection } from './mongodb.collection.js';
import { prepareBuild } from './mongodb.indexing.js';
import type { MongoLeases } from './mongodb.leases.js';
import { buildUnfinishedFilter, MongoBuildRetirement } from './mongodb.build-retirement.js';
import { fillDocuments } from './mongodb.writes.js';
import { CommitConflict } from './document-store.port.js';
import type { Lease } from './document-store.port.js';

const BULK_DOCUMENTS = 1_000;

const chooseNextBuild = (projection: Projection, live: LiveBuildPointer, checkpoints: readonly StoredCheckpoint[]) =>
  nextBuildName(projection, [live.build, ...checkpoints.map(({ _id }) => _id)]);

export class MongoBuildStore implements Builds {
  private readonly indexes = new Map<string, readonly string[]>();
  private readonly retiring: MongoBuildRetirement;

  constructor(
    private readonly connection: MongoConnection,
    private readonly registry: MongoBuilds,
    private readonly leases: MongoLeases,
    private readonly transactions: TransactionPool,
  ) {
    this.retiring = new MongoBuildRetirement(registry, leases, transactions);
  }

  async begin<const P extends readonly Projection[]>(...projections: P): Promise<NewBuilds<P>> {
    const builds: NewBuild[] = [];
    for (const each of projections) builds.push(await this.connection.run(() => this.unfinished(each)));
    return builds as NewBuilds<P>;
  }

  startOver(projection: Projection, lease: Lease, now: number): Promise<void> {
    return this.connection.run(async () => {
      const [live] = await this.registry.of([projection]);
      const all = filterByProjection(projection);
      const name = chooseNextBuild(projection, live!, await this.registry.stored.find(all).toArray());
      await this.registry.begin(name);
      await this.make(name, live!.indexes);
      await this.transactions.run(async session => {
        await this.leases.check([lease], session);
        await this.registry.checkpoints.dissolve(session);
        const { live: pointers, stored } = this.registry;
        const retirement = { retiredAt: now };
        await stored.updateMany(
          buildUnfinishedFilter({ ...projection, build: live!.build }),
          { $set: retirement },
          { session },
        );
        await this.retiring.retire(live!.build, { ...retirement, replacedBy: name }, session);
        const expectedPointer = { _id: live!._id, build: live!.build, indexes: { $size: live!.indexes.length } };
        const { matchedCount } = await pointers.updateOne(expectedPointer, { $set: { build: name } }, { session });
        if (matchedCount === 0)
          throw new CommitConflict(`${live!.build} is not the live build, or its indexes changed.`);
      });
    });
  }

  fill(build: NewBuild, { documents, from, to }: FillBatch, keep: RenewLease): Promise<void> {
    const into: LiveBuildPointer = {
      _id: formatProjectionVersion(build.projection),
      build: build.name,
      indexes: [...this.indexes.get(build.name)!],
    };
    return this.connection.run(async () => {
      for (let at = 0; at < documents.length; at += BULK_DOCUMENTS) {
        await this.leases.check([await keep()]);
        await fillDocuments(this.connection.db, into, documents.slice(at, at + BULK_DOCUMENTS));
      }
      await this.leases.check([await keep()]);
      const update = await this.registry.stored.updateOne(
        { _id: build.name, position: from },
        { $set: { position: to } },
      );
      if (update.matchedCount === 0) throw new CommitConflict(`${build.name} is not at ${from}.`);
    });
  }

  switchTo(builds: readonly NewBuild[], leases: readonly Lease[], now: number): Promise<void> {
    const move = async (session: ClientSession) => {
      await this.leases.check(leases, session);
      await this.registry.checkpoints.dissolve(session);
      for (const build of builds) await this.makeLive(build, now, session);
    };
    return this.connection.run(() => this.transactions.run(move));
  }

  drop(build: string): Promise<void> {
    return this.connection.run(async () => {
      if (await this.registry.live.findOne({ build })) throw new Error(`${build} is the live build.`);
      // After a kill the next sweep resumes, and no fill continues this build.
      await this.registry.stored.updateOne({ _id: build }, { $set: { retiredAt: LONG_AGO } });
      await this.connection.db.dropCollection(build);
      await this.registry.stored.deleteOne({ _id: build });
      this.indexes.delete(build);
    });
  }

  retireUnused(...args: Parameters<Builds['retireUnused']>): Promise<void> {
    return this.connection.run(() => this.retiring.unused(...args));
  }

  async sweep(before: number, ended?: AbortSignal): Promise<void> {
    const retired = await this.connection.run(() =>
      this.registry.stored.find({ retiredAt: { $lt: before } }).toArray(),
    );
    for (const { _id } of retired) if (!ended?.aborted) await this.drop(_id);
  }

  reached({ name }: NewBuild): Promise<Position> {
    return this.connection.run(() => this.registry.reached(name));
  }

  private async unfinished(projection: Projection): Promise<NewBuild> {
    const [live] = await this.registry.of([projection]);
    const checkpoints = await this.registry.stored.find(filterByProjection(projection)).toArray();
    const unfinished = checkpoints.find(({ _id, filling, retiredAt }) => filling && !retiredAt && _id !== live!.build);
    const name = unfinished?._id ?? chooseNextBuild(projection, live!, checkpoints);
    // Registered before it exists, so that a kill leaves no unknown collection.
    await this.registry.begin(name, { filling: true });
    await this.make(name, live!.indexes);
    return this.build(projection, name);
  }

  private async make(name: string, indexes: readonly string[]): Promise<void> {
    await prepareBuild(
      this.connection.db,
      name,
      indexes.map(index => index.split(',')),
    );
    this.indexes.set(name, indexes);
  }

  private build(projection: Projection, name: string): NewBuild {
    return { projection, name, collection: new MongoCollection(this.connection, this.registry, projection, name) };
  }

  private async makeLive({ projection, name }: NewBuild, now: number, session: ClientSession): Promise<void> {
    const { live: pointers, stored, checkpoints } = this.registry;
    const [live] = await this.registry.of([projection], session);
    const [candidate, current] = await checkpoints.look([name, live!.build], session);
    const indexes = { $size: this.indexes.get(name)!.length };
    const { matchedCount } = await pointers.updateOne(
      { _id: live!._id, indexes },
      { $set: { build: name } },
      { session },
    );
    await stored.updateOne({ _id: name }, { $set: { filling: false } }, { session });
    await this.retiring.retire(live!.build, { replacedBy: name, retiredAt: now }, session);
    if (matchedCount === 0 || !candidate || !current || candidate.position < current.position)
      throw new CommitConflict(`${name} is older than ${live!.build}, or has other indexes.`);
  }
}
