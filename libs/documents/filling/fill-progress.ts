import { SECOND_MS } from '#libs/kernel/clock.js';
import type { Position } from '#libs/kernel/event.js';

export interface FillProgress {
  readonly events: number;
  /** Total number of events; an estimate where positions are not consecutive. */
  readonly of: number;
  readonly perSecond: number;
}

export type OnProgress = (progress: FillProgress) => void;

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
    this.onProgress({ events: this.events, of: this.estimateTotal(position), perSecond });
  }

  private estimateTotal(position: Position): number {
    const done = Number(BigInt(position) - BigInt(this.from));
    const all = Number(BigInt(this.to) - BigInt(this.from));
    if (position >= this.to || done <= 0) return this.events;
    return Math.max(this.events, Math.round((this.events * all) / done));
  }
}
