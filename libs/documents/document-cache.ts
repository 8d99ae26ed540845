import type { LRUCache } from 'lru-cache';
import { createLruCache } from '#libs/kernel/lru-cache.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import type { Collection, FoldedDocument } from './document-store.port.js';
import { getMany } from './get-many.js';

/**
 * Written documents by projection and id, so that the only writer need not read them back. Evicts the oldest writes.
 */
export class DocumentCache {
  private readonly documents: LRUCache<string, StoredDocument>;

  constructor(max: number) {
    this.documents = createLruCache(max);
  }

  async load(projection: string, ids: readonly string[], collection: Collection): Promise<Map<string, StoredDocument>> {
    const documents = new Map<string, StoredDocument>();
    const missing: string[] = [];
    for (const id of ids) {
      // `peek`, because eviction follows the order of writes.
      const document = this.documents.peek(key(projection, id));
      if (document) documents.set(id, document);
      else missing.push(id);
    }
    for (const document of await getMany(collection, missing)) documents.set(document.id, document);
    return documents;
  }

  put(projection: string, documents: readonly FoldedDocument[]): void {
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
