import { Unavailable } from '#libs/kernel/refusal.js';
import type { Driver } from './driver.js';
import type { Drivers } from './drivers.js';
import type { Finality } from './finality.js';
import type { OpenPayments } from './open-payments.js';
import type { Timing } from './timing.js';

/** How many open payments one pass looks at for the first time, how many again, and how many at once. */
const NEW_MAX = 1_000;
const AGAIN_MAX = 64;
const PARALLEL_MAX = 16;

export interface WatchdogDependencies {
  readonly open: OpenPayments;
  readonly drivers: Drivers;
  readonly driver: Driver;
  readonly finality: Finality;
  readonly timing: Timing;
  readonly report: (error: unknown, payment: string) => void;
}

/**
 * Drives payments that no request waits for any more: the request has given up, its process has died, or they wait for
 * their block.
 */
export class Watchdog {
  private timer: NodeJS.Timeout | undefined;
  private passing: Promise<void> | null = null;
  /** Payments that a pass has looked at and that have not ended, the one that was looked at longest ago first. */
  private readonly looked = new Set<string>();

  constructor(private readonly dependencies: WatchdogDependencies) {}

  start(): void {
    this.timer ??= setInterval(() => void this.pass(), this.dependencies.timing.watchMs).unref();
    void this.pass();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    await this.passing;
    await this.dependencies.drivers.leave().catch(error => this.reportDefect(error, ''));
  }

  /** One pass over the open payments that are this process's; one that runs already is joined. Never throws. */
  pass(): Promise<void> {
    this.passing ??= this.run().finally(() => (this.passing = null));
    return this.passing;
  }

  private async run(): Promise<void> {
    try {
      const { drivers, open, finality } = this.dependencies;
      const [isMine, all] = await Promise.all([drivers.join(), open.all()]);
      const payments = this.due(all.map(({ id }) => id).filter(isMine)).values();
      const worker = async () => {
        for (const payment of payments) await this.drive(payment);
      };
      await Promise.all(Array.from({ length: PARALLEL_MAX }, worker));
      await finality.pass(isMine);
    } catch (error) {
      this.reportDefect(error, '');
    }
  }

  /** The new ones first, so that none waits behind those that do not move; of these a few at a time, in turns. */
  private due(ids: readonly string[]): string[] {
    const mine = new Set(ids);
    for (const id of this.looked) if (!mine.has(id)) this.looked.delete(id);
    const unseen = [...mine].filter(id => !this.looked.has(id));
    return [...unseen.slice(0, NEW_MAX), ...[...this.looked].slice(0, AGAIN_MAX)];
  }

  private async drive(payment: string): Promise<void> {
    const { driver, timing } = this.dependencies;
    if (driver.isDriving(payment)) return;
    this.looked.delete(payment);
    this.looked.add(payment);
    try {
      await driver.drive(payment, timing.passMs);
    } catch (error) {
      this.reportDefect(error, payment);
    }
  }

  /** An outage is shown by health, and the next pass tries again. */
  private reportDefect(error: unknown, payment: string): void {
    if (!(error instanceof Unavailable)) this.dependencies.report(error, payment);
  }
}
