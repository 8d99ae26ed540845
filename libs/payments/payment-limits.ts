import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
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
