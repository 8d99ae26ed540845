import type { Position } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection, StoredDocument } from '#libs/kernel/projection.js';
import type { LeaseEnd, ProjectionVersion } from './build-name.js';
import type { Builds } from './builds.port.js';

export type Scalar = string | number | boolean | null;

export interface IndexRange {
  readonly index: string;
  /** Values of the index's first fields, compared for equality. */
  readonly equals: readonly Scalar[];
  /** Sorts by the remaining fields, then the id. */
  readonly order: 'asc' | 'desc';
  /** 1 to 1,000. */
  readonly limit: number;
  /** Position of the previous page's last document: its remaining fields and its id. */
  readonly after?: readonly Scalar[];
}

/** Finds documents that contain texts in a list field. */
export interface TermIntersection {
  readonly index: string;
  readonly equals: readonly Scalar[];
  /** A document contains at least one text of each set. */
  readonly texts: readonly (readonly string[])[];
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly after?: readonly Scalar[];
  /** Maximum number of documents to examine for each text of the rarest set, 1 to 1,000. */
  readonly within: number;
}

export interface IntersectionPage<D extends JsonObject = JsonObject> {
  readonly documents: StoredDocument<D>[];
  /** `after` of the next page; null at the end. */
  readonly end: readonly Scalar[] | null;
}

export interface TextPattern {
  /** Matches every text that begins with it; null for none. */
  readonly prefix: string | null;
  readonly texts: readonly string[];
}

/** Finds the entries of a list field that match a pattern. */
export interface PatternQuery extends Pick<TermIntersection, 'index' | 'equals'> {
  readonly pattern: TextPattern;
  /** Maximum number of entries to examine, 1 to 2,000. A document has one for each of its texts. */
  readonly within: number;
}

/** Many texts of a list field: beginnings, each with the ends that complete it. */
export interface TextQuery extends Pick<TermIntersection, 'index' | 'equals'> {
  readonly families: ReadonlyMap<string, readonly string[]>;
}

export interface PatternEntries {
  /** Values of the fields behind the list, then the id. A document may be repeated. */
  readonly keys: readonly (readonly Scalar[])[];
  /** Whether no entry is left out. */
  readonly isComplete: boolean;
}

/** Versions of documents without their bodies. Valid for one build only. */
export interface DocumentStamps {
  readonly build: string;
  readonly of: readonly Pick<StoredDocument<unknown>, 'id' | 'position'>[];
}

export interface Collection<D extends JsonObject = JsonObject> {
  get(id: string): Promise<StoredDocument<D> | undefined>;
  /** In no particular order; missing ones are left out. At most 1,000 ids. */
  getMany(ids: readonly string[]): Promise<StoredDocument<D>[]>;
  find(range: IndexRange): Promise<StoredDocument<D>[]>;
  /** As `find` or `getMany`, without the bodies, which dominate the cost. */
  stamps(query: IndexRange | readonly string[]): Promise<DocumentStamps>;
  /**
   * Examines at most `within` documents of each text of the rarest set, so the cost does not depend on how many
   * documents contain a text.
   */
  intersect(query: TermIntersection): Promise<IntersectionPage<D>>;
  /** In no particular order, without the bodies, which dominate the cost. */
  findEntries(query: PatternQuery): Promise<PatternEntries>;
  /** Returns all texts that a document has, and possibly others. */
  findTexts(query: TextQuery): Promise<readonly string[]>;
  scan(limit: number, after?: string): Promise<StoredDocument<D>[]>;
  /** Position up to which events are folded; `LOG_START` for a new build. */
  checkpoint(): Promise<Position>;
}

/** A null body means that the document was removed. */
export interface FoldedDocument {
  readonly id: string;
  readonly position: Position;
  readonly body: JsonObject | null;
}

export interface CommitBatch {
  readonly projection: ProjectionVersion;
  /** Build that the documents were folded from. Throws `CommitConflict` if another one is live. */
  readonly build?: string;
  readonly documents: readonly FoldedDocument[];
  /** Must equal the stored position, else `CommitConflict`. */
  readonly from: Position;
  readonly to: Position;
}

export interface ProjectionCheckpoint extends ProjectionVersion {
  readonly build: string;
  readonly position: Position;
  /** Reason why the projector of any process stopped; null while it runs. */
  readonly stopped: string | null;
}

/** Fences writers: a commit with a stale epoch is rejected. */
export interface Lease {
  readonly name: string;
  readonly epoch: number;
}

/** The checkpoint differs from the expected one, or the lease is lost. The writer must reload its state. */
export class CommitConflict extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CommitConflict';
  }
}

/** Stores read models. Each adapter passes `test/contract/documents.spec.ts`. Throws `Unavailable` during outages. */
export abstract class DocumentStore {
  abstract readonly kind: string;

  abstract open<D extends JsonObject>(projection: Projection<D>): Promise<Collection<D>>;

  abstract readonly builds: Builds;

  /** Atomic. Throws `CommitConflict`. */
  abstract commit(batches: readonly CommitBatch[], ...leases: readonly Lease[]): Promise<void>;

  /** Checkpoints of every opened projection. Readers use the same builds afterwards. */
  abstract checkpoints(): Promise<ProjectionCheckpoint[]>;

  /**
   * Marks a projection as stopped until its next commit. `reason` is shown to operators. Throws `CommitConflict` if the
   * lease is lost.
   */
  abstract stop(projection: ProjectionVersion, reason: string, lease: Lease): Promise<void>;

  /**
   * Acquires or renews a lease for `ttlMs` from `now` (unix ms). Returns null while another holder has it. A renewal
   * keeps the epoch.
   */
  abstract lease(name: string, holder: string, ttlMs: number, now: number): Promise<Lease | null>;
  /** Returns those of the leases that `holder` has afterwards. */
  abstract leaseAll(names: readonly string[], holder: string, ttlMs: number, now: number): Promise<Lease[]>;
  /** Acquires the lease even if another holder has it, whose commits are rejected from then on. */
  abstract seize(name: string, holder: string, ttlMs: number, now: number): Promise<Lease>;
  /** Leases of all processes, with those that ended or were released. */
  abstract listLeases(): Promise<LeaseEnd[]>;
  abstract release(...leases: readonly Lease[]): Promise<void>;

  /** Equal results mean that no process changed a document in between. Omitted where it costs more than reading one. */
  version?(): unknown;

  /** Removes erased data from the store's files soon. Omitted where the database does so itself. */
  purge?(): void;

  /** Reads every page of an embedded file of at most `bytesMax`. Throws `Unavailable` if it is damaged. */
  check?(bytesMax?: number): void;

  abstract close(): Promise<void>;
}
