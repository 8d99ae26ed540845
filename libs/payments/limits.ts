import type { Coordination } from '#libs/coordination/port.js';
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { Refusal } from '#libs/kernel/refusal.js';

/** How many points may be used up within a window of time. */
export interface Limit {
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
}

/** How often one muse may present a payment, and how often one of its payments may be refused. */
export const PAYMENT_ATTEMPTS: Limit = { name: 'payment_attempts', points: 30, seconds: HOUR_MS / SECOND_MS };
export const PAYMENT_REFUSALS: Limit = { name: 'payment_refusals', points: 10, seconds: (10 * MINUTE_MS) / SECOND_MS };

/** Limits of paying, counted across processes. */
export class PaymentLimits {
  constructor(
    private readonly coordination: Coordination,
    private readonly clock: Clock,
  ) {}

  /** Counts an attempt. Refuses with 429 where there were too many, or too many were refused. */
  async attempt(museId: string): Promise<void> {
    if ((await this.add(PAYMENT_REFUSALS, museId, 0)) >= PAYMENT_REFUSALS.points) throw this.slowDown(PAYMENT_REFUSALS);
    if ((await this.add(PAYMENT_ATTEMPTS, museId, 1)) > PAYMENT_ATTEMPTS.points) throw this.slowDown(PAYMENT_ATTEMPTS);
  }

  async refused(museId: string): Promise<void> {
    await this.add(PAYMENT_REFUSALS, museId, 1);
  }

  private add(limit: Limit, museId: string, amount: number): Promise<number> {
    const { window, endsAt } = this.window(limit);
    return this.coordination.add(`limit/${limit.name}/${museId}/${window}`, amount, endsAt, this.clock.now());
  }

  private window({ seconds }: Limit) {
    const lengthMs = seconds * SECOND_MS;
    const window = Math.floor(this.clock.now() / lengthMs);
    return { window, endsAt: (window + 1) * lengthMs };
  }

  private slowDown(limit: Limit): Refusal {
    const retryAfter = Math.max(1, Math.ceil((this.window(limit).endsAt - this.clock.now()) / SECOND_MS));
    const { name, points, seconds } = limit;
    return new Refusal('rate_limited', `At most ${points} in ${seconds} seconds (${name}).`, {
      retryAfter,
      more: { limit: name },
    });
  }
}
