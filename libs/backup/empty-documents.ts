import type { DocumentStore } from '#libs/documents/document-store.port.js';
import { LOG_START } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';

/** Throws a sentence where read models were made of another log: they would be taken for those of the new one. */
export async function requireEmptyDocuments(store: DocumentStore, projections: readonly Projection[]): Promise<void> {
  for (const projection of projections) {
    const position = await (await store.open(projection)).checkpoint();
    if (position !== LOG_START)
      throw new Error(
        `The document store is not empty: ${projection.name} has read a log up to ${position}. ` +
          'Name an empty one: what reads answer from is made again by the next start.',
      );
  }
}
