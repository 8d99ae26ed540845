import { createLruCache } from '#libs/kernel/lru-cache.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import type { Collection, IndexRange, DocumentStamps } from './document-store.port.js';

/** How many documents of one projection are kept. Those that were looked at longest ago go first. */
const CACHED_DOCUMENTS_MAX = 1_000;
/** What no list has any more, and may have been erased since, is kept no longer than this. */
const CACHE_MS = 5 * MINUTE_MS;

/**
 * Documents that are looked at again and again while few of them change: only what has changed since is read. They are
 * answered to everybody who asks, so nobody may change them.
 */
export class VersionedCache<D extends JsonObject> {
  private readonly kept = createLruCache<string, StoredDocument<D>>(CACHED_DOCUMENTS_MAX);
  private build: string | undefined;
  private clearedAt = performance.now();

  constructor(private readonly collection: Pick<Collection<D>, 'stamps' | 'getMany'>) {}

  /** As `Collection.find`. */
  async find(range: IndexRange): Promise<StoredDocument<D>[]> {
    return this.read(await this.collection.stamps(range));
  }

  /** As `Collection.getMany`. */
  async getMany(ids: readonly string[]): Promise<StoredDocument<D>[]> {
    return ids.length === 0 ? [] : this.read(await this.collection.stamps(ids));
  }

  /** One that was removed in between is left out. */
  private async read({ build, of: stamps }: DocumentStamps): Promise<StoredDocument<D>[]> {
    if (build !== this.build || performance.now() - this.clearedAt > CACHE_MS) this.clear();
    this.build = build;
    const found = new Map<string, StoredDocument<D>>();
    for (const { id, position } of stamps) {
      const known = this.kept.get(id);
      if (known?.position === position) found.set(id, known);
    }
    const changed = stamps.filter(({ id }) => !found.has(id)).map(({ id }) => id);
    for (const document of changed.length === 0 ? [] : await this.collection.getMany(changed)) {
      found.set(document.id, document);
      if (build === this.build) this.kept.set(document.id, document);
    }
    return stamps.flatMap(({ id }) => found.get(id) ?? []);
  }

  private clear(): void {
    this.kept.clear();
    this.clearedAt = performance.now();
  }
}
