import type { Position } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection, StoredDocument } from '#libs/kernel/projection.js';
import type { ProjectionVersion } from './build-name.js';
import type { Builds } from './builds.port.js';

export type Scalar = string | number | boolean | null;

export interface IndexRange {
  /** An index that the projection declares. */
  readonly index: string;
  /** Values of a prefix of the index's fields, compared for equality. */
  readonly equals: readonly Scalar[];
  /** How the remaining fields, then the id, order the answer. */
  readonly order: 'asc' | 'desc';
  /** 1 to 1,000. */
  readonly limit: number;
  /** The remaining fields' values and the id of the last document of the page before. */
  readonly after?: readonly Scalar[];
}

/** What `meet` looks for: documents that stand in an index of a list under each of several of its texts. */
export interface TermIntersection {
  readonly index: string;
  /** Values of the fields before the list, compared for equality. */
  readonly equals: readonly Scalar[];
  /** Two or more, each once. */
  readonly texts: readonly string[];
  /** How the fields behind the list, then the id, order the answer. */
  readonly order: 'asc' | 'desc';
  /** 1 to 1,000. */
  readonly limit: number;
  /** Where a look before has ended. */
  readonly after?: readonly Scalar[];
  /** 1 to 1,000: how many documents of the rarest text are looked at, at most. */
  readonly within: number;
}

export interface IntersectionPage<D extends JsonObject = JsonObject> {
  readonly documents: StoredDocument<D>[];
  /** Where the look has ended: `after` of the next one; null where nothing is left to look at. */
  readonly end: readonly Scalar[] | null;
}

/** Which documents there are: each is as it was before where the build and its position are. */
export interface DocumentStamps {
  readonly build: string;
  readonly of: readonly Pick<StoredDocument<unknown>, 'id' | 'position'>[];
}

/** One build of one projection's documents: what a query reads. */
export interface Collection<D extends JsonObject = JsonObject> {
  get(id: string): Promise<StoredDocument<D> | undefined>;
  /** Those that exist, in no particular order. At most 1,000 ids. */
  getMany(ids: readonly string[]): Promise<StoredDocument<D>[]>;
  find(range: IndexRange): Promise<StoredDocument<D>[]>;
  /** As `find`, or as `getMany` of ids, without what stands in the documents: that is most of what a look at them costs. */
  stamps(asked: IndexRange | readonly string[]): Promise<DocumentStamps>;
  /**
   * The first documents that hold all texts. The look ends with `limit` of them, or with the `within`th document of the
   * text whose documents reach furthest with so many: its cost does not grow with how many hold each text.
   */
  intersect(meeting: TermIntersection): Promise<IntersectionPage<D>>;
  /** Every document by id, behind one: for comparing whole builds. */
  scan(limit: number, after?: string): Promise<StoredDocument<D>[]>;
  /** Up to where the log is contained in the documents; `START` for a new build. */
  checkpoint(): Promise<Position>;
}

/** What one projection has to write for one batch of events. */
export interface CommitBatch {
  readonly projection: ProjectionVersion;
  /** A body of null removes the document. */
  readonly documents: readonly { readonly id: string; readonly position: Position; readonly body: JsonObject | null }[];
  /** Compared with the stored one, and set. */
  readonly from: Position;
  readonly to: Position;
}

/** How far the live build of a projection is. */
export interface ProjectionCheckpoint extends ProjectionVersion {
  /** Up to where the log is contained in the documents; `START` for a new build. */
  readonly position: Position;
  /** Why its projector cannot go on from there, in whatever process; null while it can. */
  readonly stopped: string | null;
}

/** Says that the writer is the one that may write. */
export interface Lease {
  readonly name: string;
  /** Raised by one each time the lease changes hands. */
  readonly epoch: number;
}

/** The checkpoint is not where the writer believed, or its lease is gone: forget what is in memory and read again. */
export class CommitConflict extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CommitConflict';
  }
}

/** The read models. Every adapter passes `test/contract/documents.spec.ts`. Outages are `Unavailable`. */
export abstract class DocumentStore {
  /** For health: `sqlite`, `mongodb`. */
  abstract readonly kind: string;

  /** The live build of the projection in its version, made with its indexes where there is none. */
  abstract open<D extends JsonObject>(projection: Projection<D>): Promise<Collection<D>>;

  /** Builds beside the live ones. */
  abstract readonly builds: Builds;

  /** Writes the documents and checkpoints of all batches, or none of them. Throws `CommitConflict`. */
  abstract commit(batches: readonly CommitBatch[], ...leases: readonly Lease[]): Promise<void>;

  /** How far every projection is that was opened here, each once, in one question. Readers then use the same builds. */
  abstract checkpoints(): Promise<ProjectionCheckpoint[]>;

  /**
   * Says why a projection cannot go on, until its next commit. `reason` is for people. Throws `CommitConflict` where
   * the lease is gone.
   */
  abstract stop(projection: ProjectionVersion, reason: string, lease: Lease): Promise<void>;

  /**
   * Takes or keeps the lease for `ttlMs` from `now` (unix ms): null while another holder has it. The holder's own
   * lease keeps its epoch.
   */
  abstract lease(name: string, holder: string, ttlMs: number, now: number): Promise<Lease | null>;
  /** Takes or keeps several at once, as one alone: those of them that the holder has now. */
  abstract leaseAll(names: readonly string[], holder: string, ttlMs: number, now: number): Promise<Lease[]>;
  /** Takes the lease whoever has it, for `ttlMs` from `now` (unix ms): its holder is refused from then on. */
  abstract seize(name: string, holder: string, ttlMs: number, now: number): Promise<Lease>;
  /** Gives leases back, but for those that are somebody else's by now. */
  abstract release(...leases: readonly Lease[]): Promise<void>;

  /**
   * Equal to an earlier answer only where no document, in whatever process, was changed in between; left out where
   * that costs more than reading a document.
   */
  version?(): unknown;

  /** Something was erased from documents: soon no file of the store's holds it any more. Left out where others see to that. */
  purge?(): void;

  abstract close(): Promise<void>;
}
