import type { Position } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';
import type { ProjectionVersion } from './build-name.js';
import type { CommitBatch, Collection, Lease } from './document-store.port.js';

export interface NewBuild {
  readonly projection: Projection;
  readonly name: string;
  /** Reads this build even if another one is live. */
  readonly collection: Collection;
}

export type NewBuilds<P extends readonly Projection[]> = { readonly [K in keyof P]: NewBuild };

export interface FillBatch extends Pick<CommitBatch, 'documents' | 'from' | 'to'> {
  /** Whether to yield to other writers of the store. */
  readonly isGentle: boolean;
}

export interface BuildFiller {
  /**
   * Writes in short steps, the checkpoint last. A document is skipped if the stored one is newer, so an interrupted
   * fill can be repeated. Throws `CommitConflict`.
   */
  fill(build: Pick<NewBuild, 'name' | 'projection'>, filling: FillBatch, keep: RenewLease): Promise<void>;
}

export interface FillThread extends BuildFiller {
  end(): Promise<void>;
}

/** Renews the lease of a long write. Throws `CommitConflict` if it is lost. */
export type RenewLease = () => Promise<Lease>;

export interface Builds extends BuildFiller {
  /** Returns each projection's unfinished build, or a new empty one. */
  begin<const P extends readonly Projection[]>(...projections: P): Promise<NewBuilds<P>>;

  fillThread?(): FillThread;

  /**
   * Makes filled builds live in one write and retires the replaced ones at `now` (unix ms). Throws `CommitConflict` if
   * a build is older than its live one, or a lease is lost.
   */
  switchTo(builds: readonly NewBuild[], leases: readonly Lease[], now: number): Promise<void>;

  /** Projections and versions with a live build, also those of other processes. */
  listLive(): Promise<ProjectionVersion[]>;

  /**
   * Replaces a live build that was made from another log by an empty one and retires its unfinished builds at `now`
   * (unix ms). Throws `CommitConflict` if the lease is lost.
   */
  startOver(projection: Projection, lease: Lease, now: number): Promise<void>;

  drop(build: string): Promise<void>;

  /**
   * Retires, at `now`, builds of other projections and versions and unfinished builds whose leases ended before
   * `before` (both unix ms).
   */
  retireUnused(current: readonly Projection[], before: number, now: number): Promise<void>;

  /** Drops builds retired before `before` (unix ms). The next sweep resumes an aborted one. */
  sweep(before: number, ended?: AbortSignal): Promise<void>;

  reached(build: NewBuild): Promise<Position>;
}
