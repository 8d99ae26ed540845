import { type Collection, type Db, MongoServerError } from 'mongodb';
import type { JsonObject } from '#libs/kernel/json.js';
import { isSparse } from './index-range.js';
import { indexName, keysOf, pathsOf } from './mongodb.index-key.js';
import type { MongoDocument } from './mongodb.builds.js';

const NAMESPACE_EXISTS = 48;
const SLICE = 1_000;

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
