import { randomUUID } from 'node:crypto';
import type { Position } from '#libs/kernel/event.js';
import { formatProjectionVersion } from './build-name.js';
import type { CommitBatch, Lease } from './document-store.port.js';

const SHARED_MARK = '@';
export const [FIRST_SHARED, AFTER_SHARED] = [SHARED_MARK, 'A'];
export const newSharedId = () => SHARED_MARK + randomUUID();

export interface BuildCheckpoint {
  readonly build: string;
  readonly position: Position;
  readonly stopped: string | null;
}

export interface CheckpointStep<C extends BuildCheckpoint> {
  readonly checkpoint: C;
  readonly to: Position;
}

export interface CheckpointMove<C extends BuildCheckpoint> {
  readonly builds: readonly C[];
  readonly to: Position;
}

/** Groups builds by target position. A stopped build is included even if it does not move: the commit resumes it. */
export function groupMoves<C extends BuildCheckpoint>(steps: readonly CheckpointStep<C>[]): CheckpointMove<C>[] {
  const moving = steps.filter(({ checkpoint, to }) => to !== checkpoint.position || checkpoint.stopped !== null);
  const ends = [...new Set(moving.map(({ to }) => to))];
  return ends.map(to => ({
    builds: moving.filter(each => each.to === to).map(({ checkpoint }) => checkpoint),
    to,
  }));
}

/**
 * State read by a writer's first commit. Later commits reuse it while their shared checkpoint exists; any change of a
 * lease, live build or index dissolves that.
 */
export interface CommitBasis<L> {
  readonly key: string;
  readonly live: L;
  readonly shared: string;
}

/** Equal for commits with the same basis. Null unless all batches move between the same two positions. */
export function basisKey(batches: readonly CommitBatch[], leases: readonly Lease[]): string | null {
  const [first] = batches;
  if (!first || first.from === first.to) return null;
  if (batches.some(({ from, to }) => from !== first.from || to !== first.to)) return null;
  const leaseKeys = leases.map(({ name, epoch }) => `${name}:${epoch}`);
  return [...batches.map(({ projection }) => formatProjectionVersion(projection)), ...leaseKeys].join();
}
