import { type ClientSession, type Collection, type Db, MongoServerError } from 'mongodb';
import { LOG_START, type Position } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';
import { LAST_CHARACTER, type MongoConnection } from '#libs/platform/mongodb/connection.js';
import type { TransactionPool } from '#libs/platform/mongodb/transaction.js';
import { retryOnDuplicateId } from '#libs/platform/mongodb/upsert.js';
import { buildPrefix, formatProjectionVersion, type ProjectionVersion, nextBuildName } from './build-name.js';
import { MongoCheckpoints } from './mongodb.checkpoints.js';
import { isSparse } from './index-range.js';
import { indexName, keysOf, pathsOf } from './mongodb.index-key.js';
import type { MongoLeases } from './mongodb.leases.js';
import { type CommitBatch, CommitConflict } from './document-store.port.js';

const NAMESPACE_EXISTS = 48;
const SLICE = 1_000;

export interface MongoDocument {
  readonly _id: string;
  readonly position: Position;
  readonly body: JsonObject;
  readonly keys: { readonly [index: string]: string | readonly string[] };
}

/** Names the live build and its indexes, including those that only other processes declare. */
export interface LiveBuildPointer {
  readonly _id: string;
  readonly build: string;
  readonly indexes: string[];
}

export interface StoredCheckpoint {
  readonly _id: string;
  /** Outdated while the build has a shared checkpoint. */
  readonly position: Position;
  readonly builds?: readonly string[];
  readonly stopped?: string;
  readonly filling?: boolean;
  readonly retiredAt?: number;
  readonly replacedBy?: string;
}

export function filterByProjection(projection: ProjectionVersion) {
  const prefix = buildPrefix(projection);
  return { _id: { $gte: prefix, $lt: prefix + LAST_CHARACTER } };
}

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

  async open(projection: Pick<Projection, 'indexes'> & ProjectionVersion, leases: MongoLeases): Promise<string> {
    const fields = Object.values(projection.indexes);
    const indexes = [...new Set(fields.map(indexName))];
    const existing = await this.live.findOne({ _id: formatProjectionVersion(projection) });
    const live = existing ?? (await this.createPointer(projection, indexes));
    if (indexes.some(index => !live.indexes.includes(index))) await this.declare(projection, indexes, leases);
    await this.begin(live.build);
    await prepareBuild(this.connection.db, live.build, fields);
    return live.build;
  }

  /** Retired builds of the same version keep their names. */
  private async createPointer(projection: ProjectionVersion, indexes: string[]): Promise<LiveBuildPointer> {
    const others = await this.stored.find(filterByProjection(projection)).toArray();
    const names = others.map(({ _id }) => _id);
    const first = { $setOnInsert: { build: nextBuildName(projection, names), indexes } };
    const options = { upsert: true, returnDocument: 'after' } as const;
    return retryOnDuplicateId(() =>
      this.live.findOneAndUpdate({ _id: formatProjectionVersion(projection) }, first, options),
    );
  }

  async of(projections: readonly ProjectionVersion[], session?: ClientSession): Promise<LiveBuildPointer[]> {
    const ids = projections.map(formatProjectionVersion);
    const pointers = await this.live.find({ _id: { $in: [...new Set(ids)] } }, { session }).toArray();
    const byId = new Map(pointers.map(live => [live._id, live]));
    return ids.map(id => {
      const live = byId.get(id);
      if (!live) throw new Error(`${id} was never opened.`);
      return live;
    });
  }

  async reached(build: string): Promise<Position> {
    const [checkpoint] = await this.checkpoints.look([build]);
    return checkpoint?.position ?? LOG_START;
  }

  async stop(projection: ProjectionVersion, stopped: string, session: ClientSession): Promise<void> {
    const [live] = await this.of([projection], session);
    await this.checkpoints.dissolve(session);
    await this.stored.updateOne({ _id: live!.build }, { $set: { stopped } }, { session });
  }

  async begin(build: string, fields: Pick<StoredCheckpoint, 'filling'> = {}): Promise<void> {
    const first = { $setOnInsert: { position: LOG_START, ...fields } };
    await retryOnDuplicateId(() => this.stored.updateOne({ _id: build }, first, { upsert: true }));
  }

  /** Throws `CommitConflict` if a checkpoint is not at `from`. Returns the result of `MongoCheckpoints.move`. */
  async reach(
    builds: readonly LiveBuildPointer[],
    batches: readonly CommitBatch[],
    session: ClientSession,
  ): Promise<string | null> {
    const names = builds.map(({ build }) => build);
    const checkpoints = await this.checkpoints.look(names, session);
    const isMoved = ({ build, from }: CommitBatch, index: number) =>
      checkpoints[index]?.position !== from || (build !== undefined && build !== names[index]);
    if (batches.some(isMoved))
      throw new CommitConflict('A checkpoint is not at the expected position, or has another live build.');
    const steps = batches.map(({ to }, index) => ({ checkpoint: checkpoints[index]!, to }));
    return this.checkpoints.move(steps, session);
  }

  /** Interrupts running commits, which could otherwise write documents without the new index's key. */
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

export async function prepareBuild(db: Db, build: string, indexes: readonly (readonly string[])[]): Promise<void> {
  await db.createCollection(build).catch(ignoreExisting);
  const documents = db.collection<MongoDocument>(build);
  const existing = new Set((await documents.listIndexes().toArray()).map(index => String(index.name)));
  for (const fields of indexes) {
    if (existing.has(indexName(fields))) continue;
    existing.add(indexName(fields));
    // Existing documents get their keys before the index is created, so that an existing index is always complete.
    await fillIndexKeys(documents, fields);
    const ascending = Object.fromEntries(pathsOf(fields).map(path => [path, 1 as const]));
    await documents.createIndex(ascending, { name: indexName(fields), sparse: isSparse(fields) });
  }
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof MongoServerError && error.code === NAMESPACE_EXISTS)) throw error;
}

async function fillIndexKeys(documents: Collection<MongoDocument>, fields: readonly string[]): Promise<void> {
  const [path] = pathsOf(fields) as [string];
  for (let after = ''; ;) {
    const lacking = { _id: { $gt: after }, [path]: { $exists: false } };
    const slice = await documents.find(lacking).sort({ _id: 1 }).limit(SLICE).toArray();
    if (slice.length === 0) return;
    const updates = slice.map(({ _id, position, body }) => ({
      updateOne: { filter: { _id, position }, update: { $set: keysAt(fields, _id, body) } },
    }));
    await documents.bulkWrite(updates, { ordered: false });
    after = slice.at(-1)!._id;
  }
}

function keysAt(fields: readonly string[], id: string, body: JsonObject) {
  const keys = Object.entries(keysOf(fields, id, body));
  return Object.fromEntries(keys.map(([name, key]) => [`keys.${name}`, key]));
}
