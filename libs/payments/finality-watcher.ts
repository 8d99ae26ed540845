import { parseStreamKey } from '#libs/domain/define.js';
import { PaymentLost, PaymentSettled } from '#libs/domain/payment.js';
import { type Clock, DAY_MS } from '#libs/kernel/clock.js';
import type { Position, StoredEvent } from '#libs/kernel/event.js';
import { type Chain, isFinalWhenConfirmed } from './chain.port.js';
import { acceptedEvent, signedAuthorization, type Ledger } from './ledger.js';
import { UNOBSERVED } from './payment-machine.js';
import type { SettlementDriver } from './settlement-driver.js';
import type { Timing } from './timing.js';

const CHECKS_MAX = 64;
const PARALLEL_MAX = 8;
/** Longer than any chain takes to become final. */
const WATCH_MS_MAX = 30 * DAY_MS;

interface FinalityWatcherDependencies {
  readonly chains: readonly Chain[];
  readonly settled: SettledPayments;
  readonly ledger: Ledger;
  readonly driver: SettlementDriver;
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
    const { chains, settled } = this.dependencies;
    const ids = new Set(settled.all().map(({ id }) => id));
    for (const entries of [this.lastCheckedBlocks, this.missingSince])
      for (const id of entries.keys()) if (!ids.has(id)) entries.delete(id);
    const passes = await Promise.allSettled(chains.map(chain => this.checkChain(chain, isMine)));
    for (const pass of passes) if (pass.status === 'rejected') throw pass.reason;
  }

  private async checkChain(chain: Chain, isMine: (payment: string) => boolean): Promise<void> {
    const payments = this.dependencies.settled.ofChain(chain);
    if (payments.length === 0) return;
    const heads = await chain.heads();
    const due = payments.filter(payment => this.isDue(payment, heads, isMine));
    const selected = this.leastRecentlyChecked(due).slice(0, CHECKS_MAX).values();
    const errors: unknown[] = [];
    const worker = async () => {
      for (const payment of selected)
        await this.checkPayment(chain, payment, heads, isMine).catch(error => errors.push(error));
    };
    await Promise.all(Array.from({ length: PARALLEL_MAX }, worker));
    if (errors.length > 0) throw errors[0];
  }

  private isDue({ id, block, at }: SettledPayment, { newest, final }: Heads, isMine: (id: string) => boolean): boolean {
    const { settled, clock, driver } = this.dependencies;
    if (clock.now() - at >= WATCH_MS_MAX) settled.remove(id);
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
    const { ledger, settled } = this.dependencies;
    const payment = await ledger.load(id);
    const { state } = payment;
    if (state.status !== 'applied') return;
    const receipt = await chain.receipt(state.tx, signedAuthorization(acceptedEvent(payment)));
    this.markChecked(id, newest);
    const isInBlock = receipt?.use?.paid === true && receipt.block === state.block;
    if (isInBlock) this.missingSince.delete(id);
    if (isInBlock && state.block <= final) settled.remove(id);
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

export const SETTLEMENT_EVENT_TYPES: readonly string[] = [PaymentSettled, PaymentLost].map(({ type }) => type);

export interface SettledPayment {
  readonly id: string;
  readonly block: number;
  readonly at: number;
  readonly positionBefore: Position;
}

export class SettledPayments {
  private readonly settled = new Map<string, SettledPayment>();

  constructor(
    private readonly chains: readonly Chain[],
    private readonly clock: Clock,
  ) {}

  applyEvent({ type, stream, at, data }: StoredEvent, positionBefore: Position): void {
    const id = parseStreamKey(stream);
    this.settled.delete(id);
    const isWatched = this.clock.now() - at < WATCH_MS_MAX && this.findWatchedChain(id) !== undefined;
    if (type !== PaymentSettled.type || !isWatched) return;
    this.settled.set(id, { id, at, positionBefore, block: (data as { readonly block: number }).block });
  }

  remove(id: string): void {
    this.settled.delete(id);
  }

  all(): readonly SettledPayment[] {
    return [...this.settled.values()];
  }

  ofChain(chain: Chain): readonly SettledPayment[] {
    return this.all().filter(({ id }) => this.findWatchedChain(id) === chain);
  }

  private findWatchedChain(id: string): Chain | undefined {
    const isOnChain = ({ rail }: Chain) => id.startsWith(`${rail.chainId}:${rail.asset.toLowerCase()}:`);
    return this.chains.find(chain => isOnChain(chain) && !isFinalWhenConfirmed(chain.rail));
  }
}
