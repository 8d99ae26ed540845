import { LOG_START, type Position } from '#libs/kernel/event.js';
import type { Sqlite } from '#libs/platform/sqlite/sqlite.js';
import {
  AFTER_SHARED,
  type BuildCheckpoint,
  FIRST_SHARED,
  type CheckpointMove,
  groupMoves,
  newSharedId,
  type CheckpointStep,
} from './checkpoints.js';

export interface SqliteCheckpoint extends BuildCheckpoint {
  readonly shared: string | null;
}

const LIVE_SQL =
  "SELECT projection || '@' || version, build, position, shared, stopped FROM live LEFT JOIN reached USING (build)";
type LiveRow = [projection: string, build: string, Position | null, shared: string | null, stopped: string | null];

/** Returns a function that reads the checkpoints of all live builds by projection and version. */
export function liveCheckpoints(connection: Sqlite): () => Map<string, SqliteCheckpoint> {
  const live = connection.prepare<LiveRow>(LIVE_SQL);
  return () =>
    new Map(
      live.all().map(([projection, build, position, shared, stopped]) => {
        return [projection, { build, position: position ?? LOG_START, shared, stopped }];
      }),
    );
}

/** Builds at the same position share one row. Runs inside the caller's transaction. */
export class SqliteCheckpoints {
  private readonly statements;

  constructor(writer: Sqlite) {
    this.statements = {
      members: writer.prepare<[number]>('SELECT count(*) FROM checkpoints WHERE shared = ?'),
      share: writer.prepare('INSERT INTO checkpoints (build, position) VALUES (?, ?)'),
      put: writer.prepare(
        `INSERT INTO checkpoints (build, position, shared) SELECT value, ?, ? FROM json_each(?) WHERE TRUE
          ON CONFLICT DO UPDATE SET position = excluded.position, shared = excluded.shared, stopped = NULL`,
      ),
      move: writer.prepare('UPDATE checkpoints SET position = ? WHERE build = ? AND position = ?'),
      leave: writer.prepare(
        `UPDATE checkpoints AS own SET shared = NULL,
          position = (SELECT position FROM checkpoints AS one WHERE one.build = own.shared)
          WHERE shared BETWEEN ? AND ?`,
      ),
      remove: writer.prepare('DELETE FROM checkpoints WHERE build BETWEEN ? AND ?'),
    };
  }

  /** Moves builds and clears their stop reasons. Returns the shared checkpoint of exactly these builds. */
  move(steps: readonly CheckpointStep<SqliteCheckpoint>[]): string | null {
    const moves = groupMoves(steps);
    const [first] = moves.map(each => this.moveGroup(each));
    return first !== undefined && moves[0]!.builds.length === steps.length ? first : null;
  }

  moveShared(shared: string, from: Position, to: Position): boolean {
    return this.statements.move.run(to, shared, from) === 1;
  }

  /** Gives every build its own checkpoint again, so that writers reload their basis. */
  dissolve(first = FIRST_SHARED, last = AFTER_SHARED): void {
    if (this.statements.leave.run(first, last) > 0) this.statements.remove.run(first, last);
  }

  private moveGroup({ builds, to }: CheckpointMove<SqliteCheckpoint>): string | null {
    const [{ shared, position }] = builds as readonly [SqliteCheckpoint];
    const isShared = shared !== null && builds.every(each => each.shared === shared);
    if (isShared && this.statements.members.one(shared)![0] === builds.length) {
      this.moveShared(shared, position, to);
      return shared;
    }
    for (const previous of new Set(builds.flatMap(each => each.shared ?? []))) this.dissolve(previous, previous);
    const sharedId = builds.length > 1 ? newSharedId() : null;
    if (sharedId !== null) this.statements.share.run(sharedId, to);
    this.statements.put.run(to, sharedId, JSON.stringify(builds.map(({ build }) => build)));
    return sharedId;
  }
}
