import type { ClientSession } from 'mongodb';
import type { Projection } from '#libs/kernel/projection.js';
import type { TransactionPool } from '#libs/platform/mongodb/transaction.js';
import { buildPrefix, formatProjectionVersion, type ProjectionVersion, parseProjectionVersion } from './build-name.js';
import {
  type LiveBuildPointer,
  type MongoBuilds,
  filterByProjection,
  type StoredCheckpoint,
} from './mongodb.builds.js';
import type { MongoLeases } from './mongodb.leases.js';
import { isAbandoned, type LeaseEnd, findUnused } from './unused-builds.js';

type ProjectionLiveBuild = ProjectionVersion & Pick<LiveBuildPointer, 'build'>;

export function buildUnfinishedFilter(live: ProjectionLiveBuild) {
  return { ...filterByProjection(live), $nor: [{ _id: live.build }], filling: true, retiredAt: { $exists: false } };
}

type UnusedCheck = (leases: readonly LeaseEnd[]) => boolean;

export class MongoBuildRetirement {
  constructor(
    private readonly builds: MongoBuilds,
    private readonly leases: MongoLeases,
    private readonly transactions: TransactionPool,
  ) {}

  async unused(projections: readonly Projection[], before: number, now: number): Promise<void> {
    const leases = await this.leases.ends();
    const live = await this.builds.live.find().toArray();
    const all = live.map(({ _id, build }): ProjectionLiveBuild => ({ ...parseProjectionVersion(_id), build }));
    const others = findUnused(all, leases, projections, before);
    const filled = await this.builds.stored.find({ filling: true, retiredAt: { $exists: false } }).toArray();
    const isAbandonedFill = (each: ProjectionLiveBuild) =>
      !others.includes(each) &&
      isAbandoned(each, leases, before) &&
      filled.some(({ _id }) => _id.startsWith(buildPrefix(each)) && _id !== each.build);
    const abandoned = all.filter(isAbandonedFill);
    for (const each of others)
      await this.retireAll(each, now, leases => findUnused([each], leases, projections, before).length > 0);
    for (const each of abandoned) await this.retireBeside(each, now, leases => isAbandoned(each, leases, before));
  }

  /** Checks again inside the transaction, when no process can acquire the leases. */
  private retireAll(unused: ProjectionLiveBuild, now: number, isStillUnused: UnusedCheck): Promise<void> {
    return this.transactions.run(async session => {
      if (!isStillUnused(await this.loadLeasesExclusively(session))) return;
      await this.builds.checkpoints.dissolve(session);
      await this.retire(unused.build, { retiredAt: now }, session);
      await this.builds.stored.updateMany(buildUnfinishedFilter(unused), { $set: { retiredAt: now } }, { session });
      await this.builds.live.deleteOne({ _id: formatProjectionVersion(unused), build: unused.build }, { session });
    });
  }

  private retireBeside(live: ProjectionLiveBuild, now: number, isStillUnused: UnusedCheck): Promise<void> {
    return this.transactions.run(async session => {
      if (!isStillUnused(await this.loadLeasesExclusively(session))) return;
      await this.builds.stored.updateMany(buildUnfinishedFilter(live), { $set: { retiredAt: now } }, { session });
    });
  }

  private async loadLeasesExclusively(session: ClientSession): Promise<LeaseEnd[]> {
    await this.leases.disturb(session);
    return this.leases.ends(session);
  }

  async retire(
    build: string,
    fields: Pick<StoredCheckpoint, 'replacedBy' | 'retiredAt'>,
    session: ClientSession,
  ): Promise<void> {
    await this.builds.stored.updateOne({ _id: build }, { $set: fields }, { session });
  }
}
