import type { Event, Position } from '#libs/kernel/event.js';
import type { BuildFiller, RenewLease, NewBuild } from '../builds.port.js';
import { changesOf, selectEvents, foldChanges, type FoldedDocument, listChangedIds } from '../fold.js';
import { eraseForgotten } from '../erase-forgotten.js';
import { findForgottenEvent, type LogPage } from '../log-page.js';

const DOCUMENTS_AT_ONCE = 1_000;

/** What is to be written, by whoever writes. */
export type WriteTask = (filler: BuildFiller) => Promise<void>;

/** One build on its way: its documents in memory, each written once for as long as memory allows. What is handed out to be written is written before more is. */
export class BuildFill {
  private readonly documents = new Map<string, FoldedDocument>();
  /** Handed out to be written, and not found in the store for sure yet. */
  private leaving: ReadonlyMap<string, FoldedDocument> = new Map();
  private readonly dirty = new Set<string>();
  /** Whether every document of the build is in memory, so that none has to be looked for. */
  private holdsAll: boolean;
  /** Up to where its documents are written, or handed out. */
  private written: Position;
  /** The ids of the documents that were changed since it was asked to watch; null while nobody asks. */
  private watched: Set<string> | null = null;

  constructor(
    readonly build: NewBuild,
    /** Up to where the log is folded. */
    public position: Position,
    private readonly parts: {
      /** Answers once what was handed out is written, and then this. */
      readonly write: (handed: WriteTask) => Promise<void>;
      readonly keep: RenewLease;
      readonly isGentle: boolean;
    },
    isEmpty: boolean,
  ) {
    this.written = position;
    this.holdsAll = isEmpty;
  }

  get held(): number {
    return this.documents.size;
  }

  /** Folds what a page holds up to a position. Throws `Poison`; the documents are then as before the page. */
  async take(page: LogPage, until: Position): Promise<void> {
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
    }
    if (this.watched) for (const id of ids) this.watched.add(id);
    this.position = page.next < until ? page.next : until;
  }

  /** From now on it is remembered which documents change; answers which did since the last call. */
  takeChangedIds(): Set<string> {
    const before = this.watched ?? new Set<string>();
    this.watched = new Set();
    return before;
  }

  /** Hands out what has changed, and how far it is; what was handed out before is written. */
  createWriteTask(): WriteTask {
    // In the order of the store, which then touches each of its pages once.
    const documents = [...this.dirty].sort().map(id => this.documents.get(id)!);
    const filling = { documents, from: this.written, to: this.position, isGentle: this.parts.isGentle };
    this.leaving = new Map(documents.map(document => [document.id, document]));
    this.written = this.position;
    this.dirty.clear();
    return filler => filler.fill(this.build, filling, this.parts.keep);
  }

  /** Lets go of documents that are written or handed out; they are looked up again where they are needed. */
  forget(): void {
    this.documents.clear();
    this.holdsAll = false;
  }

  /** The documents are found by what the store holds, where all of them are first. */
  private async erase(forgotten: Event): Promise<void> {
    const { projection, collection } = this.build;
    if (!projection.holders) return;
    const { write, keep, isGentle } = this.parts;
    await write(this.createWriteTask());
    for await (const documents of eraseForgotten(projection, collection, forgotten)) {
      const [from, to] = [this.written, this.written];
      await write(filler => filler.fill(this.build, { documents, from, to, isGentle }, keep));
      for (const document of documents) {
        if (this.holdsAll || this.documents.has(document.id)) this.documents.set(document.id, document);
        this.watched?.add(document.id);
      }
    }
  }

  private async read(ids: readonly string[]): Promise<void> {
    if (this.holdsAll) return;
    const missing: string[] = [];
    for (const id of ids) {
      if (this.documents.has(id)) continue;
      const document = this.leaving.get(id);
      if (document) this.documents.set(id, document);
      else missing.push(id);
    }
    for (let at = 0; at < missing.length; at += DOCUMENTS_AT_ONCE) {
      const found = await this.build.collection.getMany(missing.slice(at, at + DOCUMENTS_AT_ONCE));
      for (const document of found) this.documents.set(document.id, document);
    }
  }
}
