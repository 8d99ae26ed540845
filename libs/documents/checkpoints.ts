import { randomUUID } from 'node:crypto';
import type { Position } from '#libs/kernel/event.js';
import { formatProjectionVersion } from './build-name.js';
import type { CommitBatch, Lease } from './document-store.port.js';

/** Ids of shared checkpoints begin with it, and so sort before the names of builds, which begin with a letter. */
const SHARED_MARK = '@';
/** Bounds of the ids of all shared checkpoints. */
export const [FIRST_SHARED, AFTER_SHARED] = [SHARED_MARK, 'A'];
export const newSharedId = () => SHARED_MARK + randomUUID();

/** How far a build is. */
export interface BuildCheckpoint {
  readonly build: string;
  readonly position: Position;
  /** Why its projector stopped. */
  readonly stopped: string | null;
}

/** A build and the position to which a commit moves it. */
export interface CheckpointStep<C extends BuildCheckpoint> {
  readonly checkpoint: C;
  readonly to: Position;
}

/** Builds that a commit moves to one position. */
export interface CheckpointMove<C extends BuildCheckpoint> {
  readonly builds: readonly C[];
  readonly to: Position;
}

/** Groups what a commit moves by position. A stopped build is moved even if it stays where it is: it runs again. */
export function groupMoves<C extends BuildCheckpoint>(steps: readonly CheckpointStep<C>[]): CheckpointMove<C>[] {
  const moving = steps.filter(({ checkpoint, to }) => to !== checkpoint.position || checkpoint.stopped !== null);
  const ends = [...new Set(moving.map(({ to }) => to))];
  return ends.map(to => ({
    builds: moving.filter(each => each.to === to).map(({ checkpoint }) => checkpoint),
    to,
  }));
}

/**
 * State that a writer's commit has read and its next commits rest on while their shared checkpoint exists. Every change
 * of a lease, a live build or an index dissolves all shared checkpoints.
 */
export interface CommitBasis<L> {
  /** Result of `basisKey`. */
  readonly key: string;
  readonly live: L;
  readonly shared: string;
}

/** Equal for commits with the same basis; null where the batches do not all move from one position to another. */
export function basisKey(batches: readonly CommitBatch[], leases: readonly Lease[]): string | null {
  const [first] = batches;
  if (!first || first.from === first.to) return null;
  if (batches.some(({ from, to }) => from !== first.from || to !== first.to)) return null;
  const held = leases.map(({ name, epoch }) => `${name}:${epoch}`);
  return [...batches.map(({ projection }) => formatProjectionVersion(projection)), ...held].join();
}
