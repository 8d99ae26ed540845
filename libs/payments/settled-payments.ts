import { type Clock, DAY_MS } from '#libs/kernel/clock.js';
import type { Position, StoredEvent } from '#libs/kernel/event.js';
import { parseStreamKey } from '#libs/domain/define.js';
import { PaymentLost, PaymentSettled } from '#libs/domain/payment.js';
import { type Chain, isFinalWhenConfirmed } from './chain.port.js';

/** Longer than any chain takes to become final. */
export const WATCH_MS_MAX = 30 * DAY_MS;

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
