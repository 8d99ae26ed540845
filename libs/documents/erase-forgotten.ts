import type { Event } from '#libs/kernel/event.js';
import { getForgottenMuseId } from '#libs/kernel/event-type.js';
import type { Projection, StoredDocument } from '#libs/kernel/projection.js';
import { fold, type FoldedDocument } from './fold.js';
import type { Collection, Scalar } from './document-store.port.js';

const PAGE_DOCUMENTS = 500;

/**
 * Yields the changed documents in slices. The caller must write each slice before it asks for the next one. Documents
 * that were erased before are left out.
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
        limit: PAGE_DOCUMENTS,
        ...(after && { after }),
      });
      const changed = fold(projection, [forgotten], new Map(slice.map(document => [document.id, document])));
      if (changed.length > 0) yield changed;
      after = slice.length < PAGE_DOCUMENTS ? undefined : computeOrderKey(projection, index, slice.at(-1)!);
    } while (after);
  }
}

const computeOrderKey = ({ indexes }: Projection, index: string, { id, body }: StoredDocument): Scalar[] => [
  ...indexes[index]!.slice(1).map(field => (body[field] ?? null) as Scalar),
  id,
];
