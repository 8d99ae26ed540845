import type { AnyBulkWriteOperation, ClientSession, Db } from 'mongodb';
import { isDuplicateId } from '#libs/platform/mongodb/errors.js';
import type { LiveBuildPointer, MongoDocument } from './mongodb.builds.js';
import { keysOf } from './mongodb.index-key.js';
import type { CommitBatch } from './document-store.port.js';

/**
 * A majority must have the documents before the checkpoint is written. Otherwise a new primary could have the
 * checkpoint without them.
 */
const UNGUARDED = { ordered: false, writeConcern: { w: 'majority' } } as const;

type Document = CommitBatch['documents'][number];

export async function fillDocuments(db: Db, build: LiveBuildPointer, documents: readonly Document[]): Promise<void> {
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
  { id, position, body }: Document,
  indexes: readonly string[],
): AnyBulkWriteOperation<MongoDocument> {
  const filter = { _id: id, position: { $lt: position } };
  if (body === null) return { deleteOne: { filter } };
  const keys = Object.assign({}, ...indexes.map(index => keysOf(index.split(','), id, body))) as MongoDocument['keys'];
  return { replaceOne: { filter, replacement: { position, body, keys }, upsert: true } };
}
