import type { Position } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';
import type { CommitBatch, Collection, Lease } from './document-store.port.js';

/** A build that is filled before anybody reads it. */
export interface NewBuild {
  readonly projection: Projection;
  /** `<projection>@<version>-<letters>` */
  readonly name: string;
  /** Reads this build, whichever is the live one. */
  readonly collection: Collection;
}

/** One for each projection, in their order. */
export type NewBuilds<P extends readonly Projection[]> = { readonly [K in keyof P]: NewBuild };

/** Documents on their way into a build that nobody reads. */
export interface FillBatch extends Pick<CommitBatch, 'documents' | 'from' | 'to'> {
  /** Whether others write to the same store, who are to be let in between. */
  readonly isGentle: boolean;
}

/** What writes into builds. */
export interface BuildFiller {
  /**
   * Writes documents in short steps, each only behind what its stored one has seen, and the checkpoint last: what is
   * not finished is repeated. Throws `CommitConflict`.
   */
  fill(build: Pick<NewBuild, 'name' | 'projection'>, filling: FillBatch, keep: RenewLease): Promise<void>;
}

/** One that is to be ended. */
export interface FillThread extends BuildFiller {
  end(): Promise<void>;
}

/** Answers the lease that a long write rests on, taken again where it gets old. Throws `CommitConflict`. */
export type RenewLease = () => Promise<Lease>;

/** The builds beside the live ones. */
export interface Builds extends BuildFiller {
  /**
   * Of each projection the build beside the live one that is being filled, as far as that came; an empty one where there
   * is none.
   */
  begin<const P extends readonly Projection[]>(...projections: P): Promise<NewBuilds<P>>;

  /** Fills on a thread of its own, in stores that write on the caller's processor. */
  fillThread?(): FillThread;

  /**
   * Makes filled builds the live ones, in one write. `now` (unix ms) is kept with the builds that they replace. Throws
   * `CommitConflict` if a build has not reached the position of its live one, or a lease is gone.
   */
  switchTo(builds: readonly NewBuild[], leases: readonly Lease[], now: number): Promise<void>;

  /**
   * Replaces the live build, whose documents are of another log, by an empty one, and retires what was being filled
   * beside it. `now` (unix ms) is kept with what is replaced. Throws `CommitConflict` if the lease is gone.
   */
  startOver(projection: Projection, lease: Lease, now: number): Promise<void>;

  /** Takes a build away that is not the live one. */
  drop(build: string): Promise<void>;

  /**
   * Retires what nobody has used since a moment (unix ms), as its leases say: the builds of other projections and versions
   * than those that are named, and what a rebuild had begun to fill and did not end. `now` (unix ms) is kept with them,
   * as with what is replaced.
   */
  retireUnused(own: readonly Projection[], before: number, now: number): Promise<void>;

  /** Drops the builds that were retired before a moment (unix ms). What it leaves where it is ended it goes on with later. */
  sweep(before: number, ended?: AbortSignal): Promise<void>;

  /** How far a build is. */
  reached(build: NewBuild): Promise<Position>;
}
