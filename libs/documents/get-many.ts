import type { JsonObject } from '#libs/kernel/json.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import type { Collection } from './document-store.port.js';
import { FIND_MAX } from './index-range.js';

export async function getMany<D extends JsonObject>(
  collection: Pick<Collection<D>, 'getMany'>,
  ids: readonly string[],
): Promise<StoredDocument<D>[]> {
  const documents: StoredDocument<D>[] = [];
  for (let from = 0; from < ids.length; from += FIND_MAX)
    documents.push(...(await collection.getMany(ids.slice(from, from + FIND_MAX))));
  return documents;
}
