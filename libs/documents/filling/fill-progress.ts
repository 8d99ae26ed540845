import { SECOND_MS } from '#libs/kernel/clock.js';
import type { Position } from '#libs/kernel/event.js';

/** How far builds are filled: what a progress bar shows. */
export interface FillProgress {
  /** How many events have been folded. */
  readonly events: number;
  /** How many there are to fold: exact where positions are numbered one by one, elsewhere an estimate. */
  readonly of: number;
  readonly perSecond: number;
}

export type OnProgress = (progress: FillProgress) => void;

/** Counts events from one position to another. */
export class ProgressMeter {
  private readonly began = performance.now();
  private events = 0;

  constructor(
    private readonly from: Position,
    private readonly to: Position,
    private readonly onProgress: OnProgress,
  ) {}

  count(events: number, position: Position): void {
    this.events += events;
    const seconds = (performance.now() - this.began) / SECOND_MS;
    const perSecond = seconds > 0 ? Math.round(this.events / seconds) : 0;
    this.onProgress({ events: this.events, of: this.whole(position), perSecond });
  }

  /** Positions are texts of digits on every adapter: the part of the way that is done says how long all of it is. */
  private whole(position: Position): number {
    const done = Number(BigInt(position) - BigInt(this.from));
    const all = Number(BigInt(this.to) - BigInt(this.from));
    if (position >= this.to || done <= 0) return this.events;
    return Math.max(this.events, Math.round((this.events * all) / done));
  }
}
