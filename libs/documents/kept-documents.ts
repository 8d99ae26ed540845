import type { LRUCache } from 'lru-cache';
import { bounded } from '#libs/kernel/bounded.js';
import type { Stored } from '#libs/kernel/projection.js';
import type { Folded } from './fold.js';
import type { Collection } from './port.js';

const DOCUMENTS_AT_ONCE = 1_000;

/**
 * Documents as they were last written, by projection and id, so that a writer that is the only one does not read them
 * back. Those that were written longest ago go first.
 */
export class KeptDocuments {
  private readonly documents: LRUCache<string, Stored>;

  constructor(max: number) {
    this.documents = bounded(max);
  }

  /** Documents by their ids: those that are not kept as the collection has them. */
  async load(projection: string, ids: readonly string[], collection: Collection): Promise<Map<string, Stored>> {
    const documents = this.of(projection, ids);
    const missing = ids.filter(id => !documents.has(id));
    for (let at = 0; at < missing.length; at += DOCUMENTS_AT_ONCE) {
      const found = await collection.getMany(missing.slice(at, at + DOCUMENTS_AT_ONCE));
      for (const document of found) documents.set(document.id, document);
    }
    return documents;
  }

  private of(projection: string, ids: readonly string[]): Map<string, Stored> {
    const found = new Map<string, Stored>();
    for (const id of ids) {
      // To be read makes none younger.
      const document = this.documents.peek(key(projection, id));
      if (document) found.set(id, document);
    }
    return found;
  }

  put(projection: string, documents: readonly Folded[]): void {
    for (const { id, position, body } of documents) {
      const name = key(projection, id);
      if (body === null) this.documents.delete(name);
      else this.documents.set(name, { id, position, body });
    }
  }

  clear(): void {
    this.documents.clear();
  }
}

const key = (projection: string, id: string) => `${projection}/${id}`;
