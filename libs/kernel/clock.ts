export abstract class Clock {
  /** Unix ms. */
  abstract now(): number;
  /** False after a jump, until the new time has held for a minute: endings by the clock wait. Absent if always true. */
  isSteady?(): boolean;
}

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const dayOf = (at: number) => Math.floor(at / DAY_MS);

/** A larger change against the process's monotonic clock is a jump. */
const JUMP_MS = DAY_MS;
const HOLD_MS = MINUTE_MS;

/** Takes the time at its creation as right. */
export class SystemClock extends Clock {
  private offset: number;
  private jumpedAt = -Infinity;

  constructor(
    private readonly wallMs: () => number = Date.now,
    private readonly elapsedMs: () => number = () => performance.now(),
  ) {
    super();
    this.offset = wallMs() - elapsedMs();
  }

  now(): number {
    return this.wallMs();
  }

  override isSteady(): boolean {
    const elapsed = this.elapsedMs();
    const offset = this.wallMs() - elapsed;
    if (Math.abs(offset - this.offset) > JUMP_MS) {
      this.offset = offset;
      this.jumpedAt = elapsed;
    }
    return elapsed - this.jumpedAt >= HOLD_MS;
  }
}

export const systemClock: Clock = new SystemClock();
