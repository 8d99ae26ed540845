import type { AnyBulkWriteOperation, ClientSession, Db } from 'mongodb';
import { isDuplicateId } from '#libs/platform/mongodb/errors.js';
import type { TransactionPool } from '#libs/platform/mongodb/transaction.js';
import { basisKey, type CommitBasis } from './checkpoints.js';
import type { LiveBuildPointer, MongoBuilds, MongoDocument } from './mongodb.builds.js';
import { keysOf } from './mongodb.index-key.js';
import type { MongoLeases } from './mongodb.leases.js';
import type { CommitBatch, FoldedDocument, Lease } from './document-store.port.js';

/**
 * A majority must have the documents before the checkpoint is written. Otherwise a new primary could have the
 * checkpoint without them.
 */
const UNGUARDED = { ordered: false, writeConcern: { w: 'majority' } } as const;

interface CommitOptions {
  readonly session: ClientSession;
  readonly skipSeen: boolean;
}

/**
 * Each commit is a transaction. A writer's later commits reuse the state that its first one read, see `CommitBasis`.
 */
export class MongoCommits {
  private basis: CommitBasis<readonly LiveBuildPointer[]> | null = null;

  constructor(
    private readonly db: Db,
    private readonly parts: {
      readonly transactions: TransactionPool;
      readonly builds: MongoBuilds;
      readonly leases: MongoLeases;
    },
  ) {}

  async run(batches: readonly CommitBatch[], leases: readonly Lease[]): Promise<void> {
    const attempt = (skipSeen: boolean) =>
      this.parts.transactions.run(session => this.write(batches, leases, { session, skipSeen }));
    const basis = await attempt(false).catch((error: unknown) => {
      if (!isDuplicateId(error)) throw error;
      return attempt(true);
    });
    if (basis) this.basis = basis;
  }

  /** A released lease dissolves no shared checkpoint until another process acquires it. */
  forget(): void {
    this.basis = null;
  }

  private async write(batches: readonly CommitBatch[], leases: readonly Lease[], options: CommitOptions) {
    const key = basisKey(batches, leases);
    const { live, shared } = (await this.resume(key, batches, options)) ?? (await this.look(batches, leases, options));
    for (const [index, { documents }] of batches.entries())
      await writeDocuments(this.db, live[index]!, documents, options);
    return shared !== null && key !== null ? { key, live, shared } : null;
  }

  private async resume(key: string | null, batches: readonly CommitBatch[], { session }: CommitOptions) {
    const { basis } = this;
    if (!basis || basis.key !== key) return null;
    const [{ from, to }] = batches as readonly [CommitBatch];
    return (await this.parts.builds.checkpoints.moveShared(basis.shared, from, to, session)) ? basis : null;
  }

  private async look(batches: readonly CommitBatch[], leases: readonly Lease[], { session }: CommitOptions) {
    const { builds } = this.parts;
    await this.parts.leases.check(leases, session);
    const live = await builds.of(
      batches.map(({ projection }) => projection),
      session,
    );
    return { live, shared: await builds.reach(live, batches, session) };
  }
}

export async function fillDocuments(
  db: Db,
  build: LiveBuildPointer,
  documents: readonly FoldedDocument[],
): Promise<void> {
  try {
    await writeDocuments(db, build, documents, { skipSeen: false });
  } catch (error) {
    if (!isDuplicateId(error)) throw error;
    await writeDocuments(db, build, documents, { skipSeen: true });
  }
}

/**
 * A newer stored document fails with a duplicate id, which ends a transaction. So a commit first assumes that there is
 * none, and repeats with `skipSeen` if that fails.
 */
async function writeDocuments(
  db: Db,
  { build, indexes }: LiveBuildPointer,
  documents: readonly FoldedDocument[],
  { session, skipSeen }: { readonly session?: ClientSession; readonly skipSeen: boolean },
): Promise<void> {
  const collection = db.collection<MongoDocument>(build);
  const seen = new Map<string, string>();
  if (skipSeen) {
    const ids = { _id: { $in: documents.map(({ id }) => id) } };
    const stored = collection.find(ids, { session, projection: { position: 1 } });
    for await (const { _id, position } of stored) seen.set(_id, position);
  }
  const fresh = documents.filter(({ id, position }) => (seen.get(id) ?? '') < position);
  if (fresh.length === 0) return;
  await collection.bulkWrite(
    fresh.map(document => toBulkWrite(document, indexes)),
    { ignoreUndefined: true, ...(session ? { session } : UNGUARDED) },
  );
}

function toBulkWrite(
  { id, position, body }: FoldedDocument,
  indexes: readonly string[],
): AnyBulkWriteOperation<MongoDocument> {
  const filter = { _id: id, position: { $lt: position } };
  if (body === null) return { deleteOne: { filter } };
  const keys = Object.assign({}, ...indexes.map(index => keysOf(index.split(','), id, body))) as MongoDocument['keys'];
  return { replaceOne: { filter, replacement: { position, body, keys }, upsert: true } };
}
