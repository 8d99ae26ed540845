import type { ClientSession } from 'mongodb';
import type { Position } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';
import type { MongoConnection } from '#libs/platform/mongodb/connection.js';
import type { TransactionPool } from '#libs/platform/mongodb/transaction.js';
import {
  buildPrefix,
  findUnused,
  formatProjectionVersion,
  isAbandoned,
  type LeaseEnd,
  LONG_AGO,
  nextBuildName,
  parseProjectionVersion,
  type ProjectionVersion,
} from './build-name.js';
import type { Builds, FillBatch, NewBuild, NewBuilds, RenewLease } from './builds.port.js';
import { CommitConflict, type Lease } from './document-store.port.js';
import {
  filterByProjection,
  type LiveBuildPointer,
  type MongoBuilds,
  prepareBuild,
  type StoredCheckpoint,
} from './mongodb.builds.js';
import { MongoCollection } from './mongodb.collection.js';
import { fillDocuments } from './mongodb.commits.js';
import type { MongoLeases } from './mongodb.leases.js';

const BULK_DOCUMENTS = 1_000;

type ProjectionLiveBuild = ProjectionVersion & Pick<LiveBuildPointer, 'build'>;

const UNFINISHED = { filling: true, retiredAt: { $exists: false } };
const buildUnfinishedFilter = (live: ProjectionLiveBuild) => ({
  ...filterByProjection(live),
  $nor: [{ _id: live.build }],
  ...UNFINISHED,
});

const chooseNextBuild = (projection: Projection, live: LiveBuildPointer, checkpoints: readonly StoredCheckpoint[]) =>
  nextBuildName(projection, [live.build, ...checkpoints.map(({ _id }) => _id)]);

export class MongoBuildStore implements Builds {
  private readonly indexes = new Map<string, readonly string[]>();

  constructor(
    private readonly connection: MongoConnection,
    private readonly registry: MongoBuilds,
    private readonly leases: MongoLeases,
    private readonly transactions: TransactionPool,
  ) {}

  async begin<const P extends readonly Projection[]>(...projections: P): Promise<NewBuilds<P>> {
    const builds: NewBuild[] = [];
    for (const each of projections) builds.push(await this.connection.run(() => this.unfinished(each)));
    return builds as NewBuilds<P>;
  }

  listLive(): Promise<ProjectionVersion[]> {
    return this.connection.run(async () => {
      const pointers = await this.registry.live.find().toArray();
      return pointers.map(({ _id }) => parseProjectionVersion(_id));
    });
  }

  startOver(projection: Projection, lease: Lease, now: number): Promise<void> {
    return this.connection.run(async () => {
      const [live] = await this.registry.of([projection]);
      const checkpoints = await this.registry.stored.find(filterByProjection(projection)).toArray();
      const name = chooseNextBuild(projection, live!, checkpoints);
      await this.registry.begin(name);
      await this.make(name, live!.indexes);
      await this.transactions.run(async session => {
        await this.leases.check([lease], session);
        await this.registry.checkpoints.dissolve(session);
        const { build } = live!;
        await this.retireUnfinished({ ...projection, build }, now, session);
        await this.retire(build, { replacedBy: name, retiredAt: now }, session);
        const expectedPointer = { _id: live!._id, build, indexes: { $size: live!.indexes.length } };
        const { live: pointers } = this.registry;
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

  retireUnused(current: readonly Projection[], before: number, now: number): Promise<void> {
    return this.connection.run(async () => {
      const leases = await this.leases.ends();
      const live = await this.registry.live.find().toArray();
      const all = live.map(({ _id, build }): ProjectionLiveBuild => ({ ...parseProjectionVersion(_id), build }));
      const others = findUnused(all, leases, current, before);
      const unfinished = await this.registry.stored.find(UNFINISHED).toArray();
      const isAbandonedFill = (each: ProjectionLiveBuild) =>
        !others.includes(each) &&
        isAbandoned(each, leases, before) &&
        unfinished.some(({ _id }) => _id.startsWith(buildPrefix(each)) && _id !== each.build);
      for (const each of others)
        await this.retireIf(leases => findUnused([each], leases, current, before).length > 0, each, now, {
          withLiveBuild: true,
        });
      for (const each of all.filter(isAbandonedFill))
        await this.retireIf(leases => isAbandoned(each, leases, before), each, now);
    });
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

  /** Checks again inside the transaction, when no process can acquire the leases. */
  private retireIf(
    isStillRetirable: (leases: readonly LeaseEnd[]) => boolean,
    projection: ProjectionLiveBuild,
    now: number,
    { withLiveBuild = false } = {},
  ): Promise<void> {
    return this.transactions.run(async session => {
      await this.leases.disturb(session);
      if (!isStillRetirable(await this.leases.ends(session))) return;
      await this.retireUnfinished(projection, now, session);
      if (!withLiveBuild) return;
      const { build } = projection;
      await this.registry.checkpoints.dissolve(session);
      await this.retire(build, { retiredAt: now }, session);
      await this.registry.live.deleteOne({ _id: formatProjectionVersion(projection), build }, { session });
    });
  }

  private async retireUnfinished(live: ProjectionLiveBuild, retiredAt: number, session: ClientSession): Promise<void> {
    await this.registry.stored.updateMany(buildUnfinishedFilter(live), { $set: { retiredAt } }, { session });
  }

  private async retire(
    build: string,
    fields: Pick<StoredCheckpoint, 'replacedBy' | 'retiredAt'>,
    session: ClientSession,
  ): Promise<void> {
    await this.registry.stored.updateOne({ _id: build }, { $set: fields }, { session });
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
    await this.retire(live!.build, { replacedBy: name, retiredAt: now }, session);
    if (matchedCount === 0 || !candidate || !current || candidate.position < current.position)
      throw new CommitConflict(`${name} is older than ${live!.build}, or has other indexes.`);
  }
}
