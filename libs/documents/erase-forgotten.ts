import type { Event } from '#libs/kernel/event.js';
import { getForgottenMuseId } from '#libs/kernel/event-type.js';
import type { Projection, StoredDocument } from '#libs/kernel/projection.js';
import { fold, type FoldedDocument } from './fold.js';
import type { Collection, Scalar } from './document-store.port.js';

/** How many documents of a forgotten muse are changed at once. */
const SLICE = 500;

/**
 * What a `Forgotten` makes of the documents that may hold what its muse wrote, a slice at a time: each is to be written
 * before the next is asked for. One that was written already comes again unchanged, and is left out.
 */
export async function* eraseForgotten(
  projection: Projection,
  collection: Collection,
  forgotten: Event,
): AsyncGenerator<FoldedDocument[]> {
  const muse = getForgottenMuseId(forgotten);
  for (const index of projection.holders ?? []) {
    let after: readonly Scalar[] | undefined;
    do {
      const slice = await collection.find({
        index,
        equals: [muse],
        order: 'asc',
        limit: SLICE,
        ...(after && { after }),
      });
      const changed = fold(projection, [forgotten], new Map(slice.map(document => [document.id, document])));
      if (changed.length > 0) yield changed;
      after = slice.length < SLICE ? undefined : computeOrderKey(projection, index, slice.at(-1)!);
    } while (after);
  }
}

/** Where a document stands in an index behind its first field. */
const computeOrderKey = ({ indexes }: Projection, index: string, { id, body }: StoredDocument): Scalar[] => [
  ...indexes[index]!.slice(1).map(field => (body[field] ?? null) as Scalar),
  id,
];
