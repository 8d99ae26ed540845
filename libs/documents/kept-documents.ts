import type { Stored } from '#libs/kernel/projection.js';
import type { Folded } from './fold.js';

/**
 * Documents as they were last written, by projection and id, so that a writer that is the only one does not read them
 * back. Those that were written longest ago go first.
 */
export class KeptDocuments {
  private readonly documents = new Map<string, Stored>();

  constructor(private readonly max: number) {}

  of(projection: string, ids: readonly string[]): Map<string, Stored> {
    const found = new Map<string, Stored>();
    for (const id of ids) {
      const document = this.documents.get(key(projection, id));
      if (document) found.set(id, document);
    }
    return found;
  }

  put(projection: string, documents: readonly Folded[]): void {
    for (const { id, position, body } of documents) {
      const name = key(projection, id);
      this.documents.delete(name);
      if (body !== null) this.documents.set(name, { id, position, body: body });
    }
    // Asked for its first key only where that goes: a map looks for it behind all that was taken out of it before.
    if (this.documents.size <= this.max) return;
    for (const oldest of this.documents.keys()) {
      if (this.documents.size <= this.max) return;
      this.documents.delete(oldest);
    }
  }

  clear(): void {
    this.documents.clear();
  }
}

const key = (projection: string, id: string) => `${projection}/${id}`;
