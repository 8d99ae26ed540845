import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import { mapParallel } from '#libs/platform/bounds/parallel.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { Members, rendezvousWeight } from '#libs/platform/coordination/members.js';
import type { Coordination } from '#libs/platform/coordination/port.js';
import type { EscrowSettlement } from './escrow-settlement.js';
import type { FinalityWatcher } from './finality-watcher.js';
import type { OpenPayments } from './open-payments.js';
import type { PaymentDriver } from './settlement-executor.js';
import type { Timing } from './timing.js';

const NEW_PAYMENTS_MAX = 1_000;
const RECHECKED_PAYMENTS_MAX = 64;
const PARALLEL_MAX = 16;
const MEMBERSHIP_MS = 15 * SECOND_MS;

export interface WatchdogDependencies {
  readonly open: OpenPayments;
  readonly assignment: PaymentAssignment;
  readonly driver: PaymentDriver;
  readonly finality: FinalityWatcher;
  readonly escrows: EscrowSettlement;
  readonly timing: Timing;
  readonly report: (error: unknown, payment: string) => void;
}

export class Watchdog {
  private timer: NodeJS.Timeout | undefined;
  private runningPass: Promise<void> | null = null;
  /** Payments of earlier passes that are still open, least recently checked first. */
  private readonly checked = new Set<string>();

  constructor(private readonly dependencies: WatchdogDependencies) {}

  start(): void {
    this.timer ??= setInterval(() => void this.runPass(), this.dependencies.timing.watchMs).unref();
    void this.runPass();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    await this.runningPass;
    await this.dependencies.assignment.leave().catch(error => this.reportDefect(error, ''));
  }

  /** Drives the open payments of this process once. Joins a running pass. Never throws. */
  runPass(): Promise<void> {
    this.runningPass ??= this.run().finally(() => (this.runningPass = null));
    return this.runningPass;
  }

  private async run(): Promise<void> {
    try {
      const { assignment, open, finality, escrows } = this.dependencies;
      const [isMine, openPayments] = await Promise.all([assignment.join(), open.all()]);
      const payments = this.selectDue(openPayments.map(({ id }) => id).filter(isMine));
      await mapParallel(payments, PARALLEL_MAX, payment => this.drive(payment));
      await finality.runPass(isMine);
      await escrows.runPass(isMine);
    } catch (error) {
      this.reportDefect(error, '');
    }
  }

  private selectDue(ids: readonly string[]): string[] {
    const idSet = new Set(ids);
    for (const id of this.checked) if (!idSet.has(id)) this.checked.delete(id);
    const newIds = [...idSet].filter(id => !this.checked.has(id));
    return [...newIds.slice(0, NEW_PAYMENTS_MAX), ...[...this.checked].slice(0, RECHECKED_PAYMENTS_MAX)];
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

  private reportDefect(error: unknown, payment: string): void {
    if (!(error instanceof Unavailable)) this.dependencies.report(error, payment);
  }
}

/**
 * Assigns each open payment to one process by rendezvous hashing, so that a joining or leaving process moves few
 * payments. Two processes that drive the same payment only duplicate work.
 */
export class PaymentAssignment {
  private readonly members: Members;

  constructor(
    coordination: Coordination,
    clock: Clock,
    private readonly processId: string,
  ) {
    this.members = new Members(coordination, clock, { group: 'payments', member: processId, ttlMs: MEMBERSHIP_MS });
  }

  async join(): Promise<(payment: string) => boolean> {
    const all = await this.members.join();
    if (!all.includes(this.processId)) return () => false;
    return payment => all.every(other => rendezvousWeight(this.processId, payment) >= rendezvousWeight(other, payment));
  }

  async leave(): Promise<void> {
    await this.members.leave();
  }
}
