import type { Position } from '#libs/kernel/event.js';

/**
 * Highest position in any answer. Reads with it see everything written before. Share it between clients that must see
 * each other's writes.
 */
export class SeenPositions {
  private highest: Position | null = null;

  get latest(): Position | null {
    return this.highest;
  }

  /** Positions have a fixed width and compare as strings. */
  note(position: Position | null): void {
    if (position !== null && (this.highest === null || position > this.highest)) this.highest = position;
  }
}
