import type { Position } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';

/** How often up-to-date projections get a batch while another one catches up. Bounds their lag. */
const CURRENT_BATCH_INTERVAL_MS = 100;

export interface LeasedProjection {
  readonly id: string;
  readonly projection: Projection;
}

export interface CatchUpBatch {
  readonly from: Position;
  readonly projections: readonly LeasedProjection[];
  readonly othersWait: boolean;
}

/**
 * One read serves all projections, from the lowest position. While that projection catches up, the others regularly
 * get a batch from each of their positions, so that new events reach them.
 */
export class CatchUpScheduler {
  private dueAt = -Infinity;
  private lastFrom: Position | undefined;

  next(alive: readonly LeasedProjection[], checkpoints: ReadonlyMap<string, Position>, now: number): CatchUpBatch {
    const positionOf = ({ id }: LeasedProjection) => checkpoints.get(id)!;
    const [least, ...ahead] = [...new Set(alive.map(positionOf))].sort();
    const isDue = ahead.length > 0 && now >= this.dueAt;
    if (!isDue) return { from: least!, projections: alive, othersWait: false };
    const from = ahead.findLast(position => this.lastFrom === undefined || position < this.lastFrom) ?? ahead.at(-1)!;
    this.lastFrom = from;
    if (from === ahead[0]) this.waitForInterval(now);
    return { from, projections: alive.filter(each => positionOf(each) >= from), othersWait: true };
  }

  private waitForInterval(now: number): void {
    this.dueAt = now + CURRENT_BATCH_INTERVAL_MS;
    this.lastFrom = undefined;
  }
}
