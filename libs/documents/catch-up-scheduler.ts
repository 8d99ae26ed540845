import type { Position } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';

/** How often those in front have a turn: what is new waits no longer, and who is behind has nearly all of the time. */
const CURRENT_BATCH_INTERVAL_MS = 100;

/** A projection and the name of its lease. */
export interface LeasedProjection {
  readonly id: string;
  readonly projection: Projection;
}

/** Which projections take the next events, and from where. */
export interface CatchUpBatch {
  readonly from: Position;
  readonly projections: readonly LeasedProjection[];
  /** Whether others stand behind these, who come next whatever these find. */
  readonly othersWait: boolean;
}

/**
 * One read serves all projections, from where the last of them stands. Where that is far behind, as one is that had
 * stopped and goes on, those in front take what is new meanwhile: from each place at which some stand, one after the other.
 */
export class CatchUpScheduler {
  private dueAt = -Infinity;
  /** Whose turn was the last of those in front. */
  private last: Position | undefined;

  /** The next turn of those that run, of which there is one at least. `now`: ms, of a clock that never goes back. */
  next(alive: readonly LeasedProjection[], checkpoints: ReadonlyMap<string, Position>, now: number): CatchUpBatch {
    const placeOf = ({ id }: LeasedProjection) => checkpoints.get(id)!;
    const [least, ...inFront] = [...new Set(alive.map(placeOf))].sort();
    const isDue = inFront.length > 0 && now >= this.dueAt;
    if (!isDue) return { from: least!, projections: alive, othersWait: false };
    const from = inFront.findLast(place => this.last === undefined || place < this.last) ?? inFront.at(-1)!;
    this.last = from;
    if (from === inFront[0]) this.rest(now);
    return { from, projections: alive.filter(each => placeOf(each) >= from), othersWait: true };
  }

  private rest(now: number): void {
    this.dueAt = now + CURRENT_BATCH_INTERVAL_MS;
    this.last = undefined;
  }
}
