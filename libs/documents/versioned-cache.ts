import { createLruCache } from '#libs/kernel/lru-cache.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import type { Collection, IndexRange, DocumentStamps } from './document-store.port.js';

const CACHED_DOCUMENTS_MAX = 1_000;
/** Bounds how long a document that left every list stays cached: it may have been erased. */
const CACHE_MS = 5 * MINUTE_MS;

/** Caches documents that are read often and change rarely. Callers share them and must not modify them. */
export class VersionedCache<D extends JsonObject> {
  private readonly documents = createLruCache<string, StoredDocument<D>>(CACHED_DOCUMENTS_MAX);
  private build: string | undefined;
  private clearedAt = performance.now();

  constructor(private readonly collection: Pick<Collection<D>, 'stamps' | 'getMany'>) {}

  async find(range: IndexRange): Promise<StoredDocument<D>[]> {
    return this.read(await this.collection.stamps(range));
  }

  async getMany(ids: readonly string[]): Promise<StoredDocument<D>[]> {
    return ids.length === 0 ? [] : this.read(await this.collection.stamps(ids));
  }

  private async read({ build, of: stamps }: DocumentStamps): Promise<StoredDocument<D>[]> {
    if (build !== this.build || performance.now() - this.clearedAt > CACHE_MS) this.clear();
    this.build = build;
    const current = new Map<string, StoredDocument<D>>();
    for (const { id, position } of stamps) {
      const cached = this.documents.get(id);
      if (cached?.position === position) current.set(id, cached);
    }
    const changed = stamps.filter(({ id }) => !current.has(id)).map(({ id }) => id);
    for (const document of changed.length === 0 ? [] : await this.collection.getMany(changed)) {
      current.set(document.id, document);
      if (build === this.build) this.documents.set(document.id, document);
    }
    return stamps.flatMap(({ id }) => current.get(id) ?? []);
  }

  private clear(): void {
    this.documents.clear();
    this.clearedAt = performance.now();
  }
}
