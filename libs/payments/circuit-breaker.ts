import { type Clock, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';

/** So many outages in so long, and payments are refused at once until one probe succeeds. */
export const OUTAGES_MAX = 10;
export const OUTAGES_WINDOW_MS = 10 * MINUTE_MS;
/** How long a probe is given before another one may go. */
const PROBE_MS = 5 * SECOND_MS;

/** Keeps requests from waiting for a chain that is down. One for each chain and process. */
export class CircuitBreaker {
  private outages: number[] = [];
  private probingUntil = 0;

  constructor(private readonly clock: Clock) {}

  /** Whether the chain may be asked now; while it is believed to be down, one caller at a time is let through as a probe. */
  mayAsk(): boolean {
    const now = this.clock.now();
    if (!this.isOpen()) return true;
    if (now < this.probingUntil) return false;
    this.probingUntil = now + PROBE_MS;
    return true;
  }

  answered(): void {
    this.outages = [];
    this.probingUntil = 0;
  }

  /** A probe that fails long after the outages must not let them be forgotten. */
  failed(): void {
    if (this.isOpen()) return;
    const now = this.clock.now();
    this.outages = [...this.outages.filter(at => now - at < OUTAGES_WINDOW_MS), now].slice(-OUTAGES_MAX);
  }

  /** Once open it stays so until a probe succeeds, however long that takes. */
  private isOpen(): boolean {
    return this.outages.length >= OUTAGES_MAX;
  }
}
