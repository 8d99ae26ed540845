import { Unavailable } from '#libs/kernel/refusal.js';
import type { Driver } from './driver.js';
import type { Timing } from './timing.js';

/** How many open payments one pass looks at, and how many at once. */
export const PASS_MAX = 1_000;
const PARALLEL_MAX = 16;

/**
 * Drives payments that no request waits for any more: the request has given up, its process has died, or they wait for
 * their block.
 */
export class Watchdog {
  private timer: NodeJS.Timeout | undefined;
  private passing: Promise<void> | null = null;

  constructor(
    private readonly openPayments: (limit: number) => Promise<readonly string[]>,
    private readonly driver: Driver,
    private readonly timing: Timing,
    private readonly report: (error: unknown, payment: string) => void,
  ) {}

  start(): void {
    this.timer ??= setInterval(() => void this.pass(), this.timing.watchMs).unref();
    void this.pass();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    await this.passing;
  }

  /** One pass over the open payments; one that runs already is joined. Never throws. */
  pass(): Promise<void> {
    this.passing ??= this.run().finally(() => (this.passing = null));
    return this.passing;
  }

  private async run(): Promise<void> {
    const payments = [...(await this.open())].slice(0, PASS_MAX).values();
    const worker = async () => {
      for (const payment of payments) await this.drive(payment);
    };
    await Promise.all(Array.from({ length: PARALLEL_MAX }, worker));
  }

  private async open(): Promise<readonly string[]> {
    try {
      return await this.openPayments(PASS_MAX);
    } catch (error) {
      this.reportDefect(error, '');
      return [];
    }
  }

  private async drive(payment: string): Promise<void> {
    if (this.driver.isDriving(payment)) return;
    try {
      await this.driver.drive(payment, this.timing.passMs);
    } catch (error) {
      this.reportDefect(error, payment);
    }
  }

  /** An outage is shown by health, and the next pass tries again. */
  private reportDefect(error: unknown, payment: string): void {
    if (!(error instanceof Unavailable)) this.report(error, payment);
  }
}
