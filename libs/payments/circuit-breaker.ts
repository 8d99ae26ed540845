import { type Clock, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';

/** After this many outages within the window, payments are refused at once until a probe succeeds. */
export const OUTAGES_MAX = 10;
export const OUTAGES_WINDOW_MS = 10 * MINUTE_MS;
/** How long one probe may take before another one is let through. */
const PROBE_MS = 5 * SECOND_MS;

/** Keeps requests from waiting for a chain that is down. One for each chain and process. */
export class CircuitBreaker {
  private outages: number[] = [];
  private probingUntil = 0;

  constructor(private readonly clock: Clock) {}

  /** Whether the chain may be asked now; while it is believed to be down, one caller at a time is let through as a probe. */
  canRequest(): boolean {
    const now = this.clock.now();
    if (!this.isOpen()) return true;
    if (now < this.probingUntil) return false;
    this.probingUntil = now + PROBE_MS;
    return true;
  }

  recordSuccess(): void {
    this.outages = [];
    this.probingUntil = 0;
  }

  /** The failure of a probe keeps the breaker open, also where the outages before it are long ago. */
  recordFailure(): void {
    if (this.isOpen()) return;
    const now = this.clock.now();
    this.outages = [...this.outages.filter(at => now - at < OUTAGES_WINDOW_MS), now].slice(-OUTAGES_MAX);
  }

  /** Once open it stays so until a probe succeeds, however long that takes. */
  private isOpen(): boolean {
    return this.outages.length >= OUTAGES_MAX;
  }
}
