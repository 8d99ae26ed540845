import { Unavailable } from '#libs/kernel/refusal.js';
import type { SettlementDriver } from './settlement-driver.js';
import type { PaymentAssignment } from './payment-assignment.js';
import type { FinalityWatcher } from './finality-watcher.js';
import type { OpenPayments } from './open-payments.js';
import type { Timing } from './timing.js';

/** How many open payments one pass looks at for the first time, how many again, and how many at once. */
const NEW_PAYMENTS_MAX = 1_000;
const RECHECKED_PAYMENTS_MAX = 64;
const PARALLEL_MAX = 16;

export interface WatchdogDependencies {
  readonly open: OpenPayments;
  readonly assignment: PaymentAssignment;
  readonly driver: SettlementDriver;
  readonly finality: FinalityWatcher;
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
  private readonly checked = new Set<string>();

  constructor(private readonly dependencies: WatchdogDependencies) {}

  start(): void {
    this.timer ??= setInterval(() => void this.runPass(), this.dependencies.timing.watchMs).unref();
    void this.runPass();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    await this.passing;
    await this.dependencies.assignment.leave().catch(error => this.reportDefect(error, ''));
  }

  /** One pass over the open payments that are this process's; one that runs already is joined. Never throws. */
  runPass(): Promise<void> {
    this.passing ??= this.run().finally(() => (this.passing = null));
    return this.passing;
  }

  private async run(): Promise<void> {
    try {
      const { assignment: drivers, open, finality } = this.dependencies;
      const [isMine, all] = await Promise.all([drivers.join(), open.all()]);
      const payments = this.selectDue(all.map(({ id }) => id).filter(isMine)).values();
      const worker = async () => {
        for (const payment of payments) await this.drive(payment);
      };
      await Promise.all(Array.from({ length: PARALLEL_MAX }, worker));
      await finality.runPass(isMine);
    } catch (error) {
      this.reportDefect(error, '');
    }
  }

  /** The new ones first, so that none waits behind those that do not move; of these a few at a time, in turns. */
  private selectDue(ids: readonly string[]): string[] {
    const mine = new Set(ids);
    for (const id of this.checked) if (!mine.has(id)) this.checked.delete(id);
    const unseen = [...mine].filter(id => !this.checked.has(id));
    return [...unseen.slice(0, NEW_PAYMENTS_MAX), ...[...this.checked].slice(0, RECHECKED_PAYMENTS_MAX)];
  }

  private async drive(payment: string): Promise<void> {
    const { driver, timing } = this.dependencies;
    if (driver.isDriving(payment)) return;
    this.checked.delete(payment);
    this.checked.add(payment);
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
