import type { JsonObject } from '#libs/kernel/json.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import type { Collection } from './document-store.port.js';
import { FIND_MAX } from './index-range.js';

/** Returns the documents by id. */
export async function getById<D extends JsonObject>(
  collection: Pick<Collection<D>, 'getMany'>,
  ids: readonly string[],
): Promise<Map<string, D>> {
  return new Map((await getMany(collection, [...new Set(ids)])).map(({ id, body }) => [id, body]));
}

/** Returns the documents in the order of the ids, without missing ones. */
export async function getInOrder<D extends JsonObject>(
  collection: Pick<Collection<D>, 'getMany'>,
  ids: readonly string[],
): Promise<D[]> {
  const documents = await getById(collection, ids);
  return ids.map(id => documents.get(id)).filter(document => document !== undefined);
}

export async function getMany<D extends JsonObject>(
  collection: Pick<Collection<D>, 'getMany'>,
  ids: readonly string[],
): Promise<StoredDocument<D>[]> {
  const documents: StoredDocument<D>[] = [];
  for (let from = 0; from < ids.length; from += FIND_MAX)
    documents.push(...(await collection.getMany(ids.slice(from, from + FIND_MAX))));
  return documents;
}
