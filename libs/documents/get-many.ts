import type { JsonObject } from '#libs/kernel/json.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import type { Collection } from './document-store.port.js';
import { FIND_MAX } from './index-range.js';

/** As `Collection.getMany`, of however many ids. */
export async function getMany<D extends JsonObject>(
  documents: Pick<Collection<D>, 'getMany'>,
  ids: readonly string[],
): Promise<StoredDocument<D>[]> {
  const found: StoredDocument<D>[] = [];
  for (let from = 0; from < ids.length; from += FIND_MAX)
    found.push(...(await documents.getMany(ids.slice(from, from + FIND_MAX))));
  return found;
}
