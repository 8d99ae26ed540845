import { type Clock, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';

export const OUTAGES_MAX = 10;
export const OUTAGES_WINDOW_MS = 10 * MINUTE_MS;
const PROBE_MS = 5 * SECOND_MS;

export class CircuitBreaker {
  private outages: number[] = [];
  private probingUntil = 0;

  constructor(private readonly clock: Clock) {}

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

  /** A failed probe keeps the breaker open even if the earlier outages have left the window. */
  recordFailure(): void {
    if (this.isOpen()) return;
    const now = this.clock.now();
    this.outages = [...this.outages.filter(at => now - at < OUTAGES_WINDOW_MS), now].slice(-OUTAGES_MAX);
  }

  private isOpen(): boolean {
    return this.outages.length >= OUTAGES_MAX;
  }
}
