import type { Position } from '#libs/kernel/event.js';
import { type Kept, leastOf } from './parts.js';

/** Which projections take the next events, and from where. */
export interface Turn {
  readonly from: Position;
  readonly kept: readonly Kept[];
  /** Whether others stand behind these: their turn comes next, whatever these find. */
  readonly othersWait: boolean;
}

/**
 * One read serves all projections, from where the last of them stands. Where one stands far behind, as one that had
 * stopped and goes on, it has every second turn, so that the others take what is new meanwhile.
 */
export class Turns {
  private isOfFirst = false;

  /** The next turn of those that run, of which there is one at least. */
  next(alive: readonly Kept[], checkpoints: ReadonlyMap<string, Position>): Turn {
    const placeOf = ({ id }: Kept) => checkpoints.get(id)!;
    const places = alive.map(placeOf);
    const least = leastOf(places)!;
    const greatest = places.reduce((one, other) => (one > other ? one : other));
    this.isOfFirst = least < greatest && !this.isOfFirst;
    const from = this.isOfFirst ? greatest : least;
    return { from, kept: alive.filter(each => placeOf(each) >= from), othersWait: this.isOfFirst };
  }
}
