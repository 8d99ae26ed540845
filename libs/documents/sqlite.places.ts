import type { Sqlite } from '#libs/sqlite/open.js';
import type { Position } from '#libs/kernel/event.js';
import { type Move, movesOf, PLACE_MARK, type Standing } from './places.js';

/** Moves builds, those that stand together by one row. Inside the caller's transaction. */
export class SqlitePlaces {
  private readonly at;
  private readonly put;
  private readonly stand;
  private readonly leave;

  constructor(writer: Sqlite) {
    this.at = writer.prepare<[string]>('SELECT build FROM checkpoints WHERE place = ?');
    this.put = writer.prepare(
      'INSERT INTO checkpoints (build, position) VALUES (?, ?) ON CONFLICT DO UPDATE SET position = excluded.position',
    );
    this.stand = writer.prepare(
      `INSERT INTO checkpoints (build, position, place) SELECT value, ?, ? FROM json_each(?) WHERE TRUE
        ON CONFLICT DO UPDATE SET position = excluded.position, place = excluded.place, stopped = NULL`,
    );
    this.leave = writer.prepare(
      `DELETE FROM checkpoints AS empty WHERE substr(build, 1, 1) = '${PLACE_MARK}'
        AND NOT EXISTS (SELECT * FROM checkpoints WHERE place = empty.build)`,
    );
  }

  /** Who moves is halted no longer, wherever to. */
  move(steps: readonly { readonly standing: Standing; readonly to: Position }[]): void {
    for (const { standing, to } of steps)
      if (to === standing.position) this.stand.run(to, standing.place, JSON.stringify([standing.build]));
    for (const move of movesOf(steps, place => this.at.all(place).flat())) this.take(move);
  }

  private take({ builds, to, place }: Move): void {
    if (place !== null) this.put.run(place, to);
    const others = builds.filter(each => place === null || each.place !== place || each.stopped !== null);
    if (others.length === 0) return;
    this.stand.run(to, place, JSON.stringify(others.map(({ build }) => build)));
    if (others.some(each => each.place !== null && each.place !== place)) this.leave.run();
  }
}
