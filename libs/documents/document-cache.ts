import type { LRUCache } from 'lru-cache';
import { createLruCache } from '#libs/kernel/lru-cache.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import type { FoldedDocument } from './fold.js';
import type { Collection } from './document-store.port.js';

const DOCUMENTS_AT_ONCE = 1_000;

/**
 * Written documents by projection and id, so that the only writer need not read them back. Evicts the oldest writes.
 */
export class DocumentCache {
  private readonly documents: LRUCache<string, StoredDocument>;

  constructor(max: number) {
    this.documents = createLruCache(max);
  }

  async load(projection: string, ids: readonly string[], collection: Collection): Promise<Map<string, StoredDocument>> {
    const documents = this.of(projection, ids);
    const missing = ids.filter(id => !documents.has(id));
    for (let at = 0; at < missing.length; at += DOCUMENTS_AT_ONCE) {
      const stored = await collection.getMany(missing.slice(at, at + DOCUMENTS_AT_ONCE));
      for (const document of stored) documents.set(document.id, document);
    }
    return documents;
  }

  private of(projection: string, ids: readonly string[]): Map<string, StoredDocument> {
    const documents = new Map<string, StoredDocument>();
    for (const id of ids) {
      // `peek`, because eviction follows the order of writes.
      const document = this.documents.peek(key(projection, id));
      if (document) documents.set(id, document);
    }
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
