import type { AnyBulkWriteOperation, ClientSession, Db } from 'mongodb';
import { isDuplicateId } from '#libs/platform/mongodb/errors.js';
import type { LiveBuildPointer, MongoDocument } from './mongodb.builds.js';
import { keysOf } from './mongodb.index-key.js';
import type { CommitBatch } from './document-store.port.js';

/**
 * A majority has them before the checkpoint behind them is written. With less, another primary may be elected between
 * the two that has none of them and takes the checkpoint all the same.
 */
const UNGUARDED = { ordered: false, writeConcern: { w: 'majority' } } as const;

type Document = CommitBatch['documents'][number];

/** Writes documents into a build that nobody reads: without a transaction, as far as they have not been seen. */
export async function fillDocuments(db: Db, build: LiveBuildPointer, documents: readonly Document[]): Promise<void> {
  try {
    await writeDocuments(db, build, documents, { skipSeen: false });
  } catch (error) {
    if (!isDuplicateId(error)) throw error;
    await writeDocuments(db, build, documents, { skipSeen: true });
  }
}

/**
 * Writes a batch's documents, each only behind what its stored one has seen. A transaction ends with the first write
 * that fails, and a document that has seen its change already is one: its id is taken. So a commit is tried without
 * looking, which is nearly always right, and `skipSeen` is for trying it again.
 */
export async function writeDocuments(
  db: Db,
  { build, indexes }: LiveBuildPointer,
  documents: readonly Document[],
  { session, skipSeen }: { readonly session?: ClientSession; readonly skipSeen: boolean },
): Promise<void> {
  const collection = db.collection<MongoDocument>(build);
  const seen = new Map<string, string>();
  if (skipSeen) {
    const ids = { _id: { $in: documents.map(({ id }) => id) } };
    const found = collection.find(ids, { session, projection: { position: 1 } });
    for await (const { _id, position } of found) seen.set(_id, position);
  }
  const fresh = documents.filter(({ id, position }) => (seen.get(id) ?? '') < position);
  if (fresh.length === 0) return;
  await collection.bulkWrite(
    fresh.map(document => toBulkWrite(document, indexes)),
    { ignoreUndefined: true, ...(session ? { session } : UNGUARDED) },
  );
}

function toBulkWrite(
  { id, position, body }: Document,
  indexes: readonly string[],
): AnyBulkWriteOperation<MongoDocument> {
  const filter = { _id: id, position: { $lt: position } };
  if (body === null) return { deleteOne: { filter } };
  const keys = Object.assign({}, ...indexes.map(index => keysOf(index.split(','), id, body))) as MongoDocument['keys'];
  return { replaceOne: { filter, replacement: { position, body, keys }, upsert: true } };
}
