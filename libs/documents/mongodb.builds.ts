import type { ClientSession, Collection } from 'mongodb';
import { LOG_START } from '#libs/kernel/event.js';
import type { Position } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';
import { LAST_CHARACTER, type MongoConnection } from '#libs/platform/mongodb/connection.js';
import type { TransactionPool } from '#libs/platform/mongodb/transaction-pool.js';
import { retryOnDuplicateId } from '#libs/platform/mongodb/upsert.js';
import { buildPrefix, formatProjectionVersion, type ProjectionVersion, nextBuildName } from './build-name.js';
import { MongoCheckpoints } from './mongodb.checkpoints.js';
import { prepareBuild } from './mongodb.indexing.js';
import { indexName } from './mongodb.index-key.js';
import type { MongoLeases } from './mongodb.leases.js';
import { type CommitBatch, CommitConflict } from './document-store.port.js';

/** A document as it is stored. `keys` holds what `keysOf` makes for each index. */
export interface MongoDocument {
  readonly _id: string;
  readonly position: Position;
  readonly body: JsonObject;
  readonly keys: { readonly [index: string]: string | readonly string[] };
}

/** The build that readers use, and what its writers index: every process sees it, also an index that it lacks. */
export interface LiveBuildPointer {
  /** `<projection>@<version>` */
  readonly _id: string;
  readonly build: string;
  readonly indexes: string[];
}

/** How far a build is, and why it stopped there; or a checkpoint that several builds share. */
export interface StoredCheckpoint {
  /** The build, or the id of a shared checkpoint. */
  readonly _id: string;
  /** The shared checkpoint of a build, if there is one, has a newer position. */
  readonly position: Position;
  /** The builds of a shared checkpoint. */
  readonly builds?: readonly string[];
  readonly stopped?: string;
  /** Whether it is being filled beside the live one. */
  readonly filling?: boolean;
  /** When it was retired, in unix ms: another build took its place, or no process kept it any more. */
  readonly retiredAt?: number;
  /** The build that was made the live one in its place. */
  readonly replacedBy?: string;
}

/** The checkpoints of every build of a projection. */
export function filterByProjection(projection: ProjectionVersion) {
  const prefix = buildPrefix(projection);
  return { _id: { $gte: prefix, $lt: prefix + LAST_CHARACTER } };
}

/** Which builds there are, which of them are live, and how far each is: the collections `meta.*`. */
export class MongoBuilds {
  readonly live: Collection<LiveBuildPointer>;
  readonly stored: Collection<StoredCheckpoint>;
  readonly checkpoints: MongoCheckpoints;

  constructor(
    private readonly connection: MongoConnection,
    private readonly transactions: TransactionPool,
  ) {
    this.live = connection.db.collection('meta.live', { writeConcern: { w: 'majority' } });
    this.stored = connection.db.collection('meta.checkpoints', { writeConcern: { w: 'majority' } });
    this.checkpoints = new MongoCheckpoints(this.stored);
  }

  /** The name of the live build, made with its indexes where they are missing. */
  async open(projection: Pick<Projection, 'indexes'> & ProjectionVersion, leases: MongoLeases): Promise<string> {
    const fields = Object.values(projection.indexes);
    const indexes = [...new Set(fields.map(indexName))];
    const known = await this.live.findOne({ _id: formatProjectionVersion(projection) });
    const live = known ?? (await this.point(projection, indexes));
    if (indexes.some(index => !live.indexes.includes(index))) await this.declare(projection, indexes, leases);
    await this.begin(live.build);
    await prepareBuild(this.connection.db, live.build, fields);
    return live.build;
  }

  /** To a build whose name no other one has, as those have of a version that was retired and is used again. */
  private async point(projection: ProjectionVersion, indexes: string[]): Promise<LiveBuildPointer> {
    const others = await this.stored.find(filterByProjection(projection)).toArray();
    const names = others.map(({ _id }) => _id);
    const first = { $setOnInsert: { build: nextBuildName(projection, names), indexes } };
    const options = { upsert: true, returnDocument: 'after' } as const;
    return retryOnDuplicateId(() =>
      this.live.findOneAndUpdate({ _id: formatProjectionVersion(projection) }, first, options),
    );
  }

  /** The live builds of projections, in their order. */
  async of(projections: readonly ProjectionVersion[], session?: ClientSession): Promise<LiveBuildPointer[]> {
    const ids = projections.map(formatProjectionVersion);
    const found = await this.live.find({ _id: { $in: [...new Set(ids)] } }, { session }).toArray();
    const byId = new Map(found.map(live => [live._id, live]));
    return ids.map(id => {
      const live = byId.get(id);
      if (!live) throw new Error(`${id} was never opened.`);
      return live;
    });
  }

  async reached(build: string): Promise<Position> {
    const [found] = await this.checkpoints.look([build]);
    return found?.position ?? LOG_START;
  }

  async stop(projection: ProjectionVersion, stopped: string, session: ClientSession): Promise<void> {
    const [live] = await this.of([projection], session);
    await this.checkpoints.dissolve(session);
    await this.stored.updateOne({ _id: live!.build }, { $set: { stopped } }, { session });
  }

  /** Makes the checkpoint of a build where there is none. */
  async begin(build: string, fields: Pick<StoredCheckpoint, 'filling'> = {}): Promise<void> {
    const first = { $setOnInsert: { position: LOG_START, ...fields } };
    await retryOnDuplicateId(() => this.stored.updateOne({ _id: build }, first, { upsert: true }));
  }

  /** Compares and sets the checkpoints; returns what `MongoCheckpoints.move` does. Throws `CommitConflict`. */
  async reach(
    builds: readonly LiveBuildPointer[],
    batches: readonly CommitBatch[],
    session: ClientSession,
  ): Promise<string | null> {
    const names = builds.map(({ build }) => build);
    const found = await this.checkpoints.look(names, session);
    if (batches.some(({ from }, index) => found[index]?.position !== from))
      throw new CommitConflict('A checkpoint is not where the writer believes.');
    const steps = batches.map(({ to }, index) => ({ checkpoint: found[index]!, to }));
    return this.checkpoints.move(steps, session);
  }

  /** Whoever commits at this moment has to look again, so that no document is written without the new index's key. */
  private async declare(projection: ProjectionVersion, indexes: string[], leases: MongoLeases): Promise<void> {
    await leases.interrupt();
    await this.transactions.run(async session => {
      await leases.disturb(session);
      await this.checkpoints.dissolve(session);
      await this.live.updateOne(
        { _id: formatProjectionVersion(projection) },
        { $addToSet: { indexes: { $each: indexes } } },
        { session },
      );
    });
  }
}
