import type { Position } from '#libs/kernel/event.js';

/**
 * The highest position that an answer carried: reads that ask for it see everything written so far. Clients that
 * share one see each other's writes too.
 */
export class SeenPositions {
  private highest: Position | null = null;

  get latest(): Position | null {
    return this.highest;
  }

  /** Positions are of one width and compare as strings. */
  note(position: Position | null): void {
    if (position !== null && (this.highest === null || position > this.highest)) this.highest = position;
  }
}
