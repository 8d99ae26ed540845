import { type Clock, DAY_MS } from '#libs/kernel/clock.js';
import { FetchFailure } from './failure.js';

/** Counts what was received since midnight UTC, so that strangers cannot make us read without end. */
export class DailyBytes {
  private day = 0;
  private used = 0;

  constructor(
    private readonly clock: Clock,
    private readonly bytesMax: number,
  ) {}

  /** Throws a `FetchFailure` `daily_limit` once more than the day's bytes were received; `0` bytes only ask. */
  add(bytes: number): void {
    const today = Math.floor(this.clock.now() / DAY_MS);
    if (today !== this.day) [this.day, this.used] = [today, 0];
    if (this.used + Math.max(bytes, 1) > this.bytesMax) throw new FetchFailure('daily_limit');
    this.used += bytes;
  }
}
