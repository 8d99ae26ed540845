import type { JournalPage } from '#libs/event-log/journal.js';
import type { Event, Position } from '#libs/kernel/event.js';
import type { BuildFiller, RenewLease, NewBuild } from '#libs/documents/builds.port.js';
import type { FoldedDocument } from '#libs/documents/document-store.port.js';
import { changesOf, foldChanges, listChangedIds, selectEvents } from '#libs/documents/fold.js';
import { getMany } from '#libs/documents/get-many.js';
import { eraseForgotten, findForgottenEvent } from '#libs/documents/forgotten.js';

export type WriteTask = (filler: BuildFiller) => Promise<void>;

/**
 * Fills one build. Keeps documents in memory and writes each as rarely as memory allows. Write tasks must run in order.
 */
export class BuildFill {
  private readonly documents = new Map<string, FoldedDocument>();
  private unconfirmed: ReadonlyMap<string, FoldedDocument> = new Map();
  private readonly dirty = new Set<string>();
  /** Whether memory holds every document of the build, so that the store need not be read. */
  private holdsAll: boolean;
  private writtenPosition: Position;
  private changedIds: Set<string> | null = null;

  constructor(
    readonly build: NewBuild,
    public position: Position,
    private readonly parts: {
      readonly write: (task: WriteTask) => Promise<void>;
      readonly keep: RenewLease;
      readonly isGentle: boolean;
    },
    isEmpty: boolean,
  ) {
    this.writtenPosition = position;
    this.holdsAll = isEmpty;
  }

  get held(): number {
    return this.documents.size;
  }

  /** Folds a page up to a position. After a `ProjectionError` the documents are as before the page. */
  async take(page: JournalPage, until: Position): Promise<void> {
    const { projection } = this.build;
    const isNew = ({ position }: { position: Position }) => position > this.position && position <= until;
    const forgotten = findForgottenEvent(page);
    if (forgotten && isNew(forgotten)) await this.erase(forgotten);
    const events = selectEvents(projection, page, this.position);
    const changes = changesOf(projection, page.next <= until ? events : events.filter(isNew));
    const ids = listChangedIds(changes);
    await this.read(ids);
    for (const document of foldChanges(projection, changes, this.documents)) {
      this.documents.set(document.id, document);
      this.dirty.add(document.id);
      this.changedIds?.add(document.id);
    }
    if (this.changedIds) for (const id of ids) this.changedIds.add(id);
    this.position = page.next < until ? page.next : until;
  }

  takeChangedIds(): Set<string> {
    const ids = this.changedIds ?? new Set<string>();
    this.changedIds = new Set();
    return ids;
  }

  /** Collects the changed documents and the position. Requires that the previous task has run. */
  createWriteTask(): WriteTask {
    // In the store's order, so that it touches each of its pages once.
    const documents = [...this.dirty].sort().map(id => this.documents.get(id)!);
    const filling = { documents, from: this.writtenPosition, to: this.position, isGentle: this.parts.isGentle };
    this.unconfirmed = new Map(documents.map(document => [document.id, document]));
    this.writtenPosition = this.position;
    this.dirty.clear();
    return filler => filler.fill(this.build, filling, this.parts.keep);
  }

  forget(): void {
    this.documents.clear();
    this.holdsAll = false;
  }

  /** Documents in memory change with the page. The index of the store finds the others, once all are written. */
  private async erase(forgotten: Event): Promise<void> {
    const { projection, collection } = this.build;
    if (!projection.holders || this.holdsAll) return;
    const { write, keep, isGentle } = this.parts;
    await write(async () => undefined);
    this.unconfirmed = new Map();
    for await (const slice of eraseForgotten(projection, collection, forgotten)) {
      const documents = slice.filter(({ id }) => !this.documents.has(id));
      const [from, to] = [this.writtenPosition, this.writtenPosition];
      await write(filler => filler.fill(this.build, { documents, from, to, isGentle }, keep));
      for (const { id } of documents) this.changedIds?.add(id);
    }
  }

  private async read(ids: readonly string[]): Promise<void> {
    if (this.holdsAll) return;
    const missing: string[] = [];
    for (const id of ids) {
      if (this.documents.has(id)) continue;
      const document = this.unconfirmed.get(id);
      if (document) this.documents.set(id, document);
      else missing.push(id);
    }
    for (const document of await getMany(this.build.collection, missing)) this.documents.set(document.id, document);
  }
}
