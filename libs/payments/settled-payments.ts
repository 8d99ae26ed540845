import { type Clock, DAY_MS } from '#libs/kernel/clock.js';
import type { Position, StoredEvent } from '#libs/kernel/event.js';
import { parseStreamKey } from '#libs/domain/define.js';
import { PaymentLost, PaymentSettled } from '#libs/domain/payment.js';
import { type Chain, isFinalWhenConfirmed } from './chain.port.js';

/** How long a payment is looked at again at most, whatever its chain says: no chain takes that long. */
export const WATCH_MS_MAX = 30 * DAY_MS;

export const SETTLEMENT_EVENT_TYPES: readonly string[] = [PaymentSettled, PaymentLost].map(({ type }) => type);

/** A payment whose settlement is not known to be final. */
export interface SettledPayment {
  readonly id: string;
  readonly block: number;
  readonly at: number;
  /** A position before its settlement. */
  readonly positionBefore: Position;
}

/** The payments whose settlement is not known to be final, in the order of the log. Others of one process take them in. */
export class SettledPayments {
  private readonly settled = new Map<string, SettledPayment>();

  constructor(
    private readonly chains: readonly Chain[],
    private readonly clock: Clock,
  ) {}

  /** An event of `SETTLING_TYPES`; one on a chain where a settlement is final at once changes nothing. */
  applyEvent({ type, stream, at, data }: StoredEvent, behind: Position): void {
    const id = parseStreamKey(stream);
    this.settled.delete(id);
    const watched = this.clock.now() - at < WATCH_MS_MAX && this.findWatchedChain(id) !== undefined;
    if (type !== PaymentSettled.type || !watched) return;
    this.settled.set(id, { id, at, positionBefore: behind, block: (data as { readonly block: number }).block });
  }

  /** The settlement is final, or too old to be looked at any longer. */
  remove(id: string): void {
    this.settled.delete(id);
  }

  /** The oldest first. */
  all(): readonly SettledPayment[] {
    return [...this.settled.values()];
  }

  /** Of one chain, the oldest first. */
  ofChain(chain: Chain): readonly SettledPayment[] {
    return this.all().filter(({ id }) => this.findWatchedChain(id) === chain);
  }

  /** The chain that a payment's id names, where a settlement on it is not final at once. */
  private findWatchedChain(id: string): Chain | undefined {
    const isOf = ({ rail }: Chain) => id.startsWith(`${rail.chainId}:${rail.asset.toLowerCase()}:`);
    return this.chains.find(chain => isOf(chain) && !isFinalWhenConfirmed(chain.rail));
  }
}
