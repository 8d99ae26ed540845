import type { AnyBulkWriteOperation, ClientSession, Collection } from 'mongodb';
import type { Position } from '#libs/kernel/event.js';
import {
  AFTER_SHARED,
  type BuildCheckpoint,
  FIRST_SHARED,
  type CheckpointMove,
  groupMoves,
  newSharedId,
  type CheckpointStep,
} from './checkpoints.js';
import type { StoredCheckpoint } from './mongodb.builds.js';

const SHARED = { _id: { $gte: FIRST_SHARED, $lt: AFTER_SHARED } };

type Write = AnyBulkWriteOperation<StoredCheckpoint>;

/** A checkpoint of several builds. It never changes but for its position: other builds have another one. */
interface SharedCheckpoint extends StoredCheckpoint {
  readonly builds: readonly string[];
}

export interface MongoCheckpoint extends BuildCheckpoint {
  readonly shared: SharedCheckpoint | null;
  /** Whether another build became the live one in its place. */
  readonly isReplaced: boolean;
}

interface WholeMove {
  /** The shared checkpoint that these builds have, and no others. */
  readonly whole: string | null;
}

/** Reads and moves the checkpoints of builds, those at one position by one document of `meta.checkpoints`. */
export class MongoCheckpoints {
  constructor(private readonly stored: Collection<StoredCheckpoint>) {}

  /**
   * Reads the checkpoints of builds, in their order; undefined for one that was dropped. Shared checkpoints are read first: a build
   * that leaves one or joins one meanwhile has its position then in its own.
   */
  async look(builds: readonly string[], session?: ClientSession): Promise<(MongoCheckpoint | undefined)[]> {
    const shared = await this.shared(session);
    const sharedOf = new Map(shared.flatMap(each => each.builds.map(build => [build, each] as const)));
    const alone = builds.filter(build => !sharedOf.has(build));
    const own = alone.length === 0 ? [] : await this.stored.find({ _id: { $in: alone } }, { session }).toArray();
    const found = new Map(own.map(row => [row._id, ownCheckpoint(row)]));
    return builds.map(build => {
      const together = sharedOf.get(build);
      return together ? sharedCheckpoint(build, together) : found.get(build);
    });
  }

  /**
   * Inside the transaction that read them: moves builds, which are no longer stopped. Returns the shared checkpoint if
   * all of them have one and no others.
   */
  async move(steps: readonly CheckpointStep<MongoCheckpoint>[], session: ClientSession): Promise<string | null> {
    const moves = groupMoves(steps).map(move => ({ ...move, whole: sharedBy(move) }));
    const parted = moves.filter(({ whole }) => whole === null).flatMap(({ builds }) => builds);
    const left = new Set(parted.flatMap(({ shared }) => shared ?? []));
    const shared = moves.map(({ builds, whole }) => whole ?? (builds.length > 1 ? newSharedId() : null));
    const writes = [...left].flatMap(buildDissolveWrites);
    for (const [index, move] of moves.entries()) writes.push(...writesOf(move, shared[index]!));
    if (writes.length > 0) await this.stored.bulkWrite(writes, { session });
    return moves[0]?.builds.length === steps.length ? shared[0]! : null;
  }

  /** Inside a transaction: moves all builds of a shared checkpoint; false if it was dissolved or is elsewhere. */
  async moveShared(shared: string, from: Position, to: Position, session: ClientSession): Promise<boolean> {
    const moved = await this.stored.updateOne({ _id: shared, position: from }, { $set: { position: to } }, { session });
    return moved.matchedCount === 1;
  }

  /**
   * Inside a transaction: gives every build of shared checkpoints its own again, so that their writers read what they
   * rest on again.
   */
  async dissolve(session: ClientSession): Promise<void> {
    const shared = await this.shared(session);
    if (shared.length > 0) await this.stored.bulkWrite(shared.flatMap(buildDissolveWrites), { session });
  }

  private shared(session?: ClientSession): Promise<SharedCheckpoint[]> {
    return this.stored.find<SharedCheckpoint>(SHARED, { session }).toArray();
  }
}

const sharedCheckpoint = (build: string, shared: SharedCheckpoint): MongoCheckpoint => ({
  build,
  position: shared.position,
  stopped: null,
  shared,
  isReplaced: false,
});

const ownCheckpoint = ({ _id: build, position, stopped, replacedBy }: StoredCheckpoint): MongoCheckpoint => ({
  build,
  position,
  stopped: stopped ?? null,
  shared: null,
  isReplaced: replacedBy !== undefined,
});

function sharedBy({ builds }: CheckpointMove<MongoCheckpoint>): string | null {
  const [{ shared }] = builds as readonly [MongoCheckpoint];
  const isWhole = shared?.builds.length === builds.length && builds.every(each => each.shared?._id === shared._id);
  return isWhole ? shared._id : null;
}

const buildDissolveWrites = ({ _id, position, builds }: SharedCheckpoint): Write[] => [
  { updateMany: { filter: { _id: { $in: builds } }, update: { $set: { position } } } },
  { deleteOne: { filter: { _id } } },
];

function writesOf(
  { builds, to: position, whole }: CheckpointMove<MongoCheckpoint> & WholeMove,
  shared: string | null,
): Write[] {
  if (whole !== null) return [{ updateOne: { filter: { _id: whole }, update: { $set: { position } } } }];
  const names = builds.map(({ build }) => build);
  return [
    ...(shared === null ? [] : [{ insertOne: { document: { _id: shared, position, builds: names } } }]),
    {
      updateMany: { filter: { _id: { $in: names } }, update: { $set: { position }, $unset: { stopped: '' as const } } },
    },
  ];
}
