import type { Position } from '#libs/kernel/event.js';

const services = new Map<string, SeenPositions>();

/** Highest position in any answer. Reads with it see everything written before. */
export class SeenPositions {
  private highest: Position | null = null;

  /** Memory of one service that all clients of this process share, so that they see each other's writes. */
  static of(baseUrl: string): SeenPositions {
    const { origin, pathname } = new URL(baseUrl);
    const address = origin + pathname.replace(/\/+$/, '');
    const seen = services.get(address) ?? new SeenPositions();
    services.set(address, seen);
    return seen;
  }

  get latest(): Position | null {
    return this.highest;
  }

  /** Positions have a fixed width and compare as strings. */
  note(position: Position | null): void {
    if (position !== null && (this.highest === null || position > this.highest)) this.highest = position;
  }

  /** A service with a new log may never reach the position. */
  forget(): void {
    this.highest = null;
  }
}
