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

/** Its builds never change: another set of builds gets another shared checkpoint. */
interface SharedCheckpoint extends StoredCheckpoint {
  readonly builds: readonly string[];
}

export interface MongoCheckpoint extends BuildCheckpoint {
  readonly shared: SharedCheckpoint | null;
  readonly isReplaced: boolean;
}

/** Builds at the same position share one document of `meta.checkpoints`, so a commit writes one. */
export class MongoCheckpoints {
  constructor(private readonly stored: Collection<StoredCheckpoint>) {}

  /**
   * Returns checkpoints in the order of `builds`, undefined for a dropped build. Reads shared checkpoints first, so that
   * a build that leaves a shared checkpoint during the read is found separately.
   */
  async look(builds: readonly string[], session?: ClientSession): Promise<(MongoCheckpoint | undefined)[]> {
    const shared = await this.shared(session);
    const sharedOf = new Map(shared.flatMap(each => each.builds.map(build => [build, each] as const)));
    const alone = builds.filter(build => !sharedOf.has(build));
    const rows = alone.length === 0 ? [] : await this.stored.find({ _id: { $in: alone } }, { session }).toArray();
    const separate = new Map(rows.map(row => [row._id, ownCheckpoint(row)]));
    return builds.map(build => {
      const shared = sharedOf.get(build);
      return shared ? sharedCheckpoint(build, shared) : separate.get(build);
    });
  }

  /**
   * Moves builds and clears their stop reasons, inside the transaction that read them. Returns the shared checkpoint of
   * exactly these builds.
   */
  async move(steps: readonly CheckpointStep<MongoCheckpoint>[], session: ClientSession): Promise<string | null> {
    const moves = groupMoves(steps).map(move => ({ ...move, whole: sharedBy(move) }));
    const split = moves.filter(({ whole }) => whole === null).flatMap(({ builds }) => builds);
    const dissolved = new Set(split.flatMap(({ shared }) => shared ?? []));
    const shared = moves.map(({ builds, whole }) => whole ?? (builds.length > 1 ? newSharedId() : null));
    const writes = [...dissolved].flatMap(buildDissolveWrites);
    for (const [index, move] of moves.entries()) writes.push(...writesOf(move, shared[index]!));
    if (writes.length > 0) await this.stored.bulkWrite(writes, { session });
    return moves[0]?.builds.length === steps.length ? shared[0]! : null;
  }

  async moveShared(shared: string, from: Position, to: Position, session: ClientSession): Promise<boolean> {
    const update = await this.stored.updateOne(
      { _id: shared, position: from },
      { $set: { position: to } },
      { session },
    );
    return update.matchedCount === 1;
  }

  /** Gives every build its own checkpoint again, so that writers reload their basis. */
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
  { builds, to: position, whole }: CheckpointMove<MongoCheckpoint> & { readonly whole: string | null },
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
