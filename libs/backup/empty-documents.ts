import type { DocumentStore } from '#libs/documents/document-store.port.js';
import { LOG_START } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';

/** Prevents a new log from being combined with documents of another log. */
export async function requireEmptyDocuments(store: DocumentStore, projections: readonly Projection[]): Promise<void> {
  for (const projection of projections) {
    const position = await (await store.open(projection)).checkpoint();
    if (position !== LOG_START)
      throw new Error(
        `The document store is not empty: ${projection.name} has read a log up to ${position}. ` +
          'Use an empty document store: the next start rebuilds the documents from the log.',
      );
  }
}
