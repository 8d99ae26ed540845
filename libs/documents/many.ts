import type { JsonObject } from '#libs/kernel/json.js';
import type { Stored } from '#libs/kernel/projection.js';
import type { Collection } from './port.js';
import { FIND_MAX } from './range.js';

/** As `Collection.getMany`, of however many ids. */
export async function manyOf<D extends JsonObject>(
  documents: Pick<Collection<D>, 'getMany'>,
  ids: readonly string[],
): Promise<Stored<D>[]> {
  const found: Stored<D>[] = [];
  for (let from = 0; from < ids.length; from += FIND_MAX)
    found.push(...(await documents.getMany(ids.slice(from, from + FIND_MAX))));
  return found;
}
