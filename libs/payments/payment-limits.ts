import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import type { Limit } from '#libs/platform/limits/limit.js';
import type { LimitTable } from '#libs/platform/limits/limit-table.js';
import type { Limiter } from '#libs/platform/limits/limiter.js';

export const PAYMENT_ATTEMPTS: Limit = {
  name: 'payment_attempts',
  points: 30,
  seconds: HOUR_MS / SECOND_MS,
  per: 'muse',
};
export const PAYMENT_REFUSALS: Limit = {
  name: 'payment_refusals',
  points: 10,
  seconds: (10 * MINUTE_MS) / SECOND_MS,
  per: 'muse',
};

export class PaymentLimits {
  private readonly attempts: Limit;
  private readonly refusals: Limit;

  constructor(
    private readonly limiter: Limiter,
    table: LimitTable,
  ) {
    this.attempts = table.limitFor(PAYMENT_ATTEMPTS, false);
    this.refusals = table.limitFor(PAYMENT_REFUSALS, false);
  }

  async countAttempt(museId: string): Promise<void> {
    await this.limiter.check(this.refusals, museId);
    await this.limiter.takePoint(this.attempts, museId);
  }

  async countRefusal(museId: string): Promise<void> {
    await this.limiter.count(this.refusals, museId);
  }
}

export const OUTAGES_MAX = 10;
export const OUTAGES_WINDOW_MS = 10 * MINUTE_MS;
const PROBE_MS = 5 * SECOND_MS;

/** Refuses payments at once after too many outages of a chain, and then probes it. */
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
