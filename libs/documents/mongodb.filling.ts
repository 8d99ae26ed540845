import type { ClientSession } from 'mongodb';
import { START } from '#libs/kernel/event.js';
import type { Position } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';
import { LAST_CHARACTER, type MongoConnection } from '#libs/mongodb/connection.js';
import type { Transactions } from '#libs/mongodb/transactions.js';
import { again } from '#libs/mongodb/upsert.js';
import { buildPrefix, liveId, nextBuildName } from './build-name.js';
import type { Builds, Filling, Keep, NewBuild } from './builds.port.js';
import type { Live, MongoBuilds, Reached } from './mongodb.builds.js';
import { MongoCollection } from './mongodb.collection.js';
import { prepareBuild } from './mongodb.indexing.js';
import type { MongoLeases } from './mongodb.leases.js';
import { fillDocuments } from './mongodb.writes.js';
import { CommitConflict } from './port.js';
import type { Lease } from './port.js';

/** How many documents one bulk write holds. */
const BULK_DOCUMENTS = 1_000;

/** The checkpoints of every build of a projection. */
function ofProjection(projection: Projection) {
  const prefix = buildPrefix(projection);
  return { _id: { $gte: prefix, $lt: prefix + LAST_CHARACTER } };
}

/** Builds beside the live ones, as collections of the same database. */
export class MongoFilling implements Builds {
  /** What the documents of a build are indexed by. */
  private readonly indexes = new Map<string, readonly string[]>();

  constructor(
    private readonly connection: MongoConnection,
    private readonly known: MongoBuilds,
    private readonly leases: MongoLeases,
    private readonly transactions: Transactions,
  ) {}

  begin(projection: Projection): Promise<NewBuild> {
    return this.connection.run(async () => {
      const [live] = await this.known.of([projection]);
      const builds = await this.known.checkpoints.find(ofProjection(projection)).toArray();
      const unfinished = builds.find(({ _id, filling, retiredAt }) => filling && !retiredAt && _id !== live!.build);
      const name = unfinished?._id ?? nextBuildName(projection, [live!.build, ...builds.map(({ _id }) => _id)]);
      return this.prepare(projection, name, live!.indexes);
    });
  }

  beginLive(projection: Projection): Promise<NewBuild> {
    return this.connection.run(async () => {
      const [live] = await this.known.of([projection]);
      return this.prepare(projection, live!.build, live!.indexes);
    });
  }

  startOver(projection: Projection, lease: Lease, now: number): Promise<void> {
    return this.connection.run(async () => {
      const [live] = await this.known.of([projection]);
      const all = ofProjection(projection);
      const builds = await this.known.checkpoints.find(all).toArray();
      const name = nextBuildName(projection, [live!.build, ...builds.map(({ _id }) => _id)]);
      await this.prepare(projection, name, live!.indexes);
      await this.transactions.run(async session => {
        await this.leases.check([lease], session);
        const { live: pointers, checkpoints } = this.known;
        const others = { ...all, $nor: [{ _id: name }, { _id: live!.build }], filling: true };
        const retired = { retiredAt: now };
        await checkpoints.updateMany(
          { $and: [others, { retiredAt: { $exists: false } }] },
          { $set: retired },
          { session },
        );
        await this.retire(live!.build, { ...retired, replacedBy: name }, session);
        const here = { _id: live!._id, build: live!.build, indexes: { $size: live!.indexes.length } };
        const { matchedCount } = await pointers.updateOne(here, { $set: { build: name } }, { session });
        if (matchedCount === 0) throw new CommitConflict(`${live!.build} is not the live build, or indexed otherwise.`);
      });
    });
  }

  fill(build: NewBuild, { documents, from, to, isLast }: Filling, keep: Keep): Promise<void> {
    const into: Live = {
      _id: liveId(build.projection),
      build: build.name,
      indexes: [...this.indexes.get(build.name)!],
    };
    return this.connection.run(async () => {
      for (let at = 0; at < documents.length; at += BULK_DOCUMENTS) {
        await this.leases.check([await keep()]);
        await fillDocuments(this.connection.db, into, documents.slice(at, at + BULK_DOCUMENTS));
      }
      await this.leases.check([await keep()]);
      const moved = await this.known.checkpoints.updateOne(
        { _id: build.name, position: from },
        { $set: { position: to, filling: !isLast }, $unset: { stopped: '' as const } },
      );
      if (moved.matchedCount === 0) throw new CommitConflict(`${build.name} is not at ${from}.`);
    });
  }

  switchTo(builds: readonly NewBuild[], leases: readonly Lease[], now: number): Promise<void> {
    const move = async (session: ClientSession) => {
      await this.leases.giveBack(leases, session);
      for (const build of builds) await this.point(build, now, session);
    };
    return this.connection.run(() => this.transactions.run(move));
  }

  drop(build: string): Promise<void> {
    return this.connection.run(async () => {
      if (await this.known.live.findOne({ build })) throw new Error(`${build} is the live build.`);
      await this.connection.db.dropCollection(build);
      await this.known.checkpoints.deleteOne({ _id: build });
    });
  }

  async sweep(before: number): Promise<void> {
    const retired = await this.connection.run(() =>
      this.known.checkpoints.find({ retiredAt: { $lt: before } }).toArray(),
    );
    for (const { _id } of retired) await this.drop(_id);
  }

  reached({ name }: NewBuild): Promise<Position> {
    return this.connection.run(() => this.known.checkpoint(name));
  }

  private async prepare(projection: Projection, name: string, indexes: readonly string[]): Promise<NewBuild> {
    const filling = { $set: { filling: true }, $setOnInsert: { position: START } };
    await again(() => this.known.checkpoints.updateOne({ _id: name }, filling, { upsert: true }));
    await prepareBuild(
      this.connection.db,
      name,
      indexes.map(index => index.split(',')),
    );
    this.indexes.set(name, indexes);
    return { projection, name, collection: new MongoCollection(this.connection, this.known, projection, name) };
  }

  /** Inside a transaction: the build becomes the live one, where both are at one position and indexed alike. */
  private async point({ projection, name }: NewBuild, now: number, session: ClientSession): Promise<void> {
    const { live: pointers, checkpoints } = this.known;
    const [live] = await this.known.of([projection], session);
    const [made, current] = await this.known.places.look([name, live!.build], session);
    const indexes = { $size: this.indexes.get(name)!.length };
    const filled = { $set: { filling: false }, $unset: { stopped: '' as const } };
    const { matchedCount } = await pointers.updateOne(
      { _id: live!._id, indexes },
      { $set: { build: name } },
      { session },
    );
    await checkpoints.updateOne({ _id: name }, filled, { session });
    await this.retire(live!.build, { replacedBy: name, retiredAt: now }, session);
    if (matchedCount === 0 || made!.position !== current!.position)
      throw new CommitConflict(`${name} and ${live!.build} are not at one position, or not indexed alike.`);
  }

  /** Inside a transaction: the build stands where it is, and moves with no others any more. */
  private async retire(build: string, how: Pick<Reached, 'replacedBy' | 'retiredAt'>, session: ClientSession) {
    await this.known.places.leave(build, session);
    await this.known.checkpoints.updateOne({ _id: build }, { $set: how }, { session });
  }
}
