import type { ClientSession } from 'mongodb';
import type { Projection } from '#libs/kernel/projection.js';
import type { TransactionPool } from '#libs/platform/mongodb/transaction-pool.js';
import { buildPrefix, formatProjectionVersion, type ProjectionVersion, parseProjectionVersion } from './build-name.js';
import {
  type LiveBuildPointer,
  type MongoBuilds,
  filterByProjection,
  type StoredCheckpoint,
} from './mongodb.builds.js';
import type { MongoLeases } from './mongodb.leases.js';
import { isAbandoned, type LeaseEnd, findUnused } from './unused-builds.js';

/** A projection and its live build. */
type ProjectionLiveBuild = ProjectionVersion & Pick<LiveBuildPointer, 'build'>;

/** The checkpoints of what is being filled beside the live build of a projection. */
export function buildUnfinishedFilter(live: ProjectionLiveBuild) {
  return { ...filterByProjection(live), $nor: [{ _id: live.build }], filling: true, retiredAt: { $exists: false } };
}

/** Whether something is still unused, as leases are now. */
type UnusedCheck = (leases: readonly LeaseEnd[]) => boolean;

/** Takes builds out of use, which are dropped later. */
export class MongoBuildRetirement {
  constructor(
    private readonly known: MongoBuilds,
    private readonly leases: MongoLeases,
    private readonly transactions: TransactionPool,
  ) {}

  /** As `Builds.retireUnused`. */
  async unused(own: readonly Projection[], before: number, now: number): Promise<void> {
    const leases = await this.leases.ends();
    const live = await this.known.live.find().toArray();
    const all = live.map(({ _id, build }): ProjectionLiveBuild => ({ ...parseProjectionVersion(_id), build }));
    const others = findUnused(all, leases, own, before);
    const filled = await this.known.stored.find({ filling: true, retiredAt: { $exists: false } }).toArray();
    const isLeft = (each: ProjectionLiveBuild) =>
      !others.includes(each) &&
      isAbandoned(each, leases, before) &&
      filled.some(({ _id }) => _id.startsWith(buildPrefix(each)) && _id !== each.build);
    const left = all.filter(isLeft);
    for (const each of others)
      await this.retireAll(each, now, leases => findUnused([each], leases, own, before).length > 0);
    for (const each of left) await this.retireBeside(each, now, leases => isAbandoned(each, leases, before));
  }

  /** All builds of a projection, the live one too, where that is still right once nobody takes its leases any more. */
  private retireAll(unused: ProjectionLiveBuild, now: number, isRight: UnusedCheck): Promise<void> {
    return this.transactions.run(async session => {
      if (!isRight(await this.stillLeases(session))) return;
      await this.known.checkpoints.dissolve(session);
      await this.retire(unused.build, { retiredAt: now }, session);
      await this.known.stored.updateMany(buildUnfinishedFilter(unused), { $set: { retiredAt: now } }, { session });
      await this.known.live.deleteOne({ _id: formatProjectionVersion(unused), build: unused.build }, { session });
    });
  }

  private retireBeside(left: ProjectionLiveBuild, now: number, isRight: UnusedCheck): Promise<void> {
    return this.transactions.run(async session => {
      if (!isRight(await this.stillLeases(session))) return;
      await this.known.stored.updateMany(buildUnfinishedFilter(left), { $set: { retiredAt: now } }, { session });
    });
  }

  /** Inside a transaction: who takes a lease meanwhile has either been seen here, or waits for its end. */
  private async stillLeases(session: ClientSession): Promise<LeaseEnd[]> {
    await this.leases.disturb(session);
    return this.leases.ends(session);
  }

  /** Inside a transaction that dissolved all shared checkpoints. */
  async retire(
    build: string,
    how: Pick<StoredCheckpoint, 'replacedBy' | 'retiredAt'>,
    session: ClientSession,
  ): Promise<void> {
    await this.known.stored.updateOne({ _id: build }, { $set: how }, { session });
  }
}
