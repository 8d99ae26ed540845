import type { Position } from '#libs/kernel/event.js';
import type { Sqlite } from '#libs/sqlite/open.js';
import { BEHIND_PLACES, type Move, movesOf, PLACE_MARK, type Settled, type Standing } from './places.js';

/** Moves builds, those that stand together by one row. Inside the caller's transaction. */
export class SqlitePlaces {
  private readonly statements;

  constructor(writer: Sqlite) {
    const places = `build >= '${PLACE_MARK}' AND build < '${BEHIND_PLACES}'`;
    this.statements = {
      at: writer.prepare<[string]>('SELECT build FROM checkpoints WHERE place = ?'),
      put: writer.prepare(
        'INSERT INTO checkpoints (build, position) VALUES (?, ?) ON CONFLICT DO UPDATE SET position = excluded.position',
      ),
      stand: writer.prepare(
        `INSERT INTO checkpoints (build, position, place) SELECT value, ?, ? FROM json_each(?) WHERE TRUE
          ON CONFLICT DO UPDATE SET position = excluded.position, place = excluded.place, stopped = NULL`,
      ),
      leave: writer.prepare(
        `DELETE FROM checkpoints AS empty WHERE ${places}
          AND NOT EXISTS (SELECT * FROM checkpoints WHERE place = empty.build)`,
      ),
      moveAll: writer.prepare('UPDATE checkpoints SET position = ? WHERE build = ? AND changes = ? AND position = ?'),
      count: writer.prepare(`UPDATE checkpoints SET changes = changes + 1 WHERE ${places}`),
      counted: writer.prepare<[number]>('SELECT changes FROM checkpoints WHERE build = ?'),
    };
  }

  /**
   * Who moves is halted no longer, wherever to. Answers the place where all of them stand alone from then on, if they
   * do.
   */
  move(steps: readonly { readonly standing: Standing; readonly to: Position }[]): Settled | null {
    const { at, stand, counted } = this.statements;
    for (const { standing, to } of steps)
      if (to === standing.position && standing.stopped !== null)
        stand.run(to, standing.place, JSON.stringify([standing.build]));
    const moves = movesOf(steps, place => at.all(place).flat());
    for (const move of moves) this.take(move);
    const place = moves[0]?.builds.length === steps.length ? moves[0].place : null;
    return place === null ? null : { place, changes: counted.one(place)![0] };
  }

  /** Everybody at a place goes on at once; answers false where something was counted there meanwhile. */
  moveAll({ place, changes }: Settled, from: Position, to: Position): boolean {
    return this.statements.moveAll.run(to, place, changes, from) === 1;
  }

  /** Counted at every place: who moves it has to look again at who may, and at what. */
  unsettle(): void {
    this.statements.count.run();
  }

  private take({ builds, to, place }: Move): void {
    if (place !== null) this.statements.put.run(place, to);
    const others = builds.filter(each => place === null || each.place !== place || each.stopped !== null);
    if (others.length === 0) return;
    this.statements.stand.run(to, place, JSON.stringify(others.map(({ build }) => build)));
    // Who goes on alone neither comes to a place nor leaves one: a writer of its own beside the others, after each of them.
    if (others.every(each => each.place === place)) return;
    this.unsettle();
    this.statements.leave.run();
  }
}
