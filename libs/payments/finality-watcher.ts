import type { Clock } from '#libs/kernel/clock.js';
import { mapParallel } from '#libs/platform/bounds/parallel.js';
import type { Chain } from './chain.port.js';
import { acceptedEvent, expectedUseOf, type Ledger } from './ledger.js';
import { type OpenPayments, type SettledPayment, WATCH_MS_MAX } from './open-payments.js';
import { UNOBSERVED } from './payment-machine.js';
import type { PaymentDriver } from './settlement-executor.js';
import type { Timing } from './timing.js';

const CHECKS_MAX = 64;
const PARALLEL_MAX = 8;

interface FinalityWatcherDependencies {
  readonly chains: readonly Chain[];
  readonly payments: OpenPayments;
  readonly ledger: Ledger;
  readonly driver: PaymentDriver;
  readonly clock: Clock;
  readonly timing: Timing;
}

type Heads = Awaited<ReturnType<Chain['heads']>>;

/**
 * Rechecks settled payments once per block until they are final, and settles payments again that a reorganisation
 * removed. The process that drives a payment checks it. Every process makes the last check, and need not inform others.
 */
export class FinalityWatcher {
  /** Hash of the newest block at the last check, by payment. Ordered by time of the check. */
  private readonly lastCheckedBlocks = new Map<string, string>();
  private readonly missingSince = new Map<string, number>();

  constructor(private readonly dependencies: FinalityWatcherDependencies) {}

  async runPass(isMine: (payment: string) => boolean): Promise<void> {
    const { chains, payments } = this.dependencies;
    const ids = new Set(payments.notFinal().map(({ id }) => id));
    for (const entries of [this.lastCheckedBlocks, this.missingSince])
      for (const id of entries.keys()) if (!ids.has(id)) entries.delete(id);
    const passes = await Promise.allSettled(chains.map(chain => this.checkChain(chain, isMine)));
    for (const pass of passes) if (pass.status === 'rejected') throw pass.reason;
  }

  private async checkChain(chain: Chain, isMine: (payment: string) => boolean): Promise<void> {
    const payments = this.dependencies.payments.notFinal(chain);
    if (payments.length === 0) return;
    const heads = await chain.heads();
    const due = payments.filter(payment => this.isDue(payment, heads, isMine));
    const selected = this.leastRecentlyChecked(due).slice(0, CHECKS_MAX);
    const errors: unknown[] = [];
    await mapParallel(selected, PARALLEL_MAX, payment =>
      this.checkPayment(chain, payment, heads, isMine).catch((error: unknown) => void errors.push(error)),
    );
    if (errors.length > 0) throw errors[0];
  }

  private isDue({ id, block, at }: SettledPayment, { newest, final }: Heads, isMine: (id: string) => boolean): boolean {
    const { payments, clock, driver } = this.dependencies;
    if (clock.now() - at >= WATCH_MS_MAX) payments.stopWatching(id);
    if (driver.isDriving(id)) return false;
    if (this.lastCheckedBlocks.get(id) === newest && !this.missingSince.has(id)) return false;
    return block <= final || isMine(id);
  }

  private leastRecentlyChecked(due: readonly SettledPayment[]): readonly SettledPayment[] {
    const order = new Map([...this.lastCheckedBlocks.keys()].map((id, index) => [id, index]));
    return due.toSorted((a, b) => (order.get(a.id) ?? -1) - (order.get(b.id) ?? -1));
  }

  private async checkPayment(
    chain: Chain,
    { id }: SettledPayment,
    { newest, final }: Heads,
    isMine: (id: string) => boolean,
  ) {
    const { ledger, payments } = this.dependencies;
    const payment = await ledger.load(id);
    const { state } = payment;
    if (state.status !== 'applied') return;
    const receipt = await chain.receipt(state.tx, expectedUseOf(acceptedEvent(payment)));
    this.markChecked(id, newest);
    const isInBlock = receipt?.use?.paid === true && receipt.block === state.block;
    if (isInBlock) this.missingSince.delete(id);
    if (isInBlock && state.block <= final) payments.stopWatching(id);
    if (!isInBlock && isMine(id)) await this.settleAgain(id);
  }

  private markChecked(id: string, newest: string): void {
    this.lastCheckedBlocks.delete(id);
    this.lastCheckedBlocks.set(id, newest);
  }

  private async settleAgain(id: string): Promise<void> {
    const { driver, clock, timing } = this.dependencies;
    const missingSince = this.missingSince.get(id) ?? clock.now();
    this.missingSince.set(id, missingSince);
    await driver.drive(id, timing.passMs, { observation: { ...UNOBSERVED, claims: 'held', missingSince } });
  }
}
