import { DAY_MS, SECOND_MS } from '#libs/kernel/clock.js';
import type { Position, StoredEvent } from '#libs/kernel/event.js';
import { parseStreamKey } from '#libs/domain/define.js';
import {
  Payment,
  type PaymentAcceptedEvent,
  PaymentAccepted,
  PaymentApplied,
  PaymentExpired,
  PaymentLost,
  PaymentRefused,
  PaymentSettled,
  PaymentSubmitted,
  type SubmittedTransaction,
} from '#libs/domain/payment.js';
import { type Chain, isFinalWhenConfirmed, isPaymentOn } from './chain.port.js';
import { CheckpointedReader, type ReaderDependencies } from './checkpointed-reader.js';

const EVENT_TYPES = Payment.events.map(({ type }) => type);
const END_EVENT_TYPES: readonly string[] = [PaymentApplied, PaymentExpired, PaymentRefused].map(({ type }) => type);
/** Longer than any chain takes to become final. */
export const WATCH_MS_MAX = 30 * DAY_MS;

export interface OpenPayment {
  readonly id: string;
  readonly at: number;
  /** All payments accepted up to this position have ended, except those in this list. */
  readonly positionBefore: Position;
  readonly validUntil: number;
  readonly nonceKeys: readonly string[];
  readonly settledAt: number | null;
}

export interface SettledPayment {
  readonly id: string;
  readonly block: number;
  readonly at: number;
  readonly positionBefore: Position;
}

interface OpenPaymentsDependencies extends ReaderDependencies {
  readonly chains: readonly Chain[];
}

/** Open payments, and settled ones that are not final. */
export class OpenPayments {
  private readonly open = new Map<string, OpenPayment>();
  private readonly settled = new Map<string, SettledPayment>();
  private readonly reader: CheckpointedReader;

  constructor(private readonly dependencies: OpenPaymentsDependencies) {
    this.reader = new CheckpointedReader(dependencies, {
      key: 'payments/all-ended-up-to',
      types: EVENT_TYPES,
      apply: (event, positionBefore) => {
        this.applyEvent(event, positionBefore);
        this.applySettlement(event, positionBefore);
      },
      listUnfinished: () => [...this.open.values(), ...this.settled.values()],
    });
  }

  /** Reads up to the head of the log. Oldest first. Errors: `Unavailable`. */
  async all(): Promise<readonly OpenPayment[]> {
    await this.reader.catchUp();
    return [...this.open.values()];
  }

  /** Does not read: call `all` before. */
  notFinal(chain?: Chain): readonly SettledPayment[] {
    return [...this.settled.values()].filter(({ id }) => !chain || this.findWatchedChain(id) === chain);
  }

  stopWatching(id: string): void {
    this.settled.delete(id);
  }

  async isNonceInUse(id: string, relayer: string, nonce: number): Promise<boolean> {
    const key = nonceKey(id, relayer, nonce);
    const now = this.dependencies.clock.now();
    return (await this.all()).some(({ validUntil, nonceKeys }) => validUntil > now && nonceKeys.includes(key));
  }

  private applyEvent({ type, stream, at, data }: StoredEvent, positionBefore: Position): void {
    const id = parseStreamKey(stream);
    const payment = this.open.get(id);
    if (type === PaymentAccepted.type) {
      const validUntil = Number((data as unknown as PaymentAcceptedEvent['data']).valid_before) * SECOND_MS;
      this.open.set(id, { id, at, positionBefore, validUntil, nonceKeys: [], settledAt: null });
    } else if (END_EVENT_TYPES.includes(type)) this.open.delete(id);
    else if (payment && type === PaymentSettled.type) this.open.set(id, { ...payment, settledAt: at });
    else if (payment && type === PaymentSubmitted.type) {
      const { relayer, relayer_nonce: nonce } = data as unknown as SubmittedTransaction;
      this.open.set(id, { ...payment, nonceKeys: [...payment.nonceKeys, nonceKey(id, relayer, nonce)] });
    }
  }

  private applySettlement({ type, stream, at, data }: StoredEvent, positionBefore: Position): void {
    if (type !== PaymentSettled.type && type !== PaymentLost.type) return;
    const id = parseStreamKey(stream);
    this.settled.delete(id);
    const isWatched = this.dependencies.clock.now() - at < WATCH_MS_MAX && this.findWatchedChain(id) !== undefined;
    if (type !== PaymentSettled.type || !isWatched) return;
    this.settled.set(id, { id, at, positionBefore, block: (data as { readonly block: number }).block });
  }

  private findWatchedChain(id: string): Chain | undefined {
    return this.dependencies.chains.find(({ rail }) => isPaymentOn(rail, id) && !isFinalWhenConfirmed(rail));
  }
}

const nonceKey = (payment: string, relayer: string, nonce: number) =>
  `${payment.split(':')[0]}/${relayer.toLowerCase()}/${nonce}`;
