import type { Coordination } from '#libs/platform/coordination/port.js';
import type { EventLog, EventPage } from '#libs/event-log/event-log.port.js';
import { type Clock, DAY_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { type Position, LOG_START, type StoredEvent } from '#libs/kernel/event.js';
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

const EVENT_TYPES = Payment.events.map(({ type }) => type);
const END_EVENT_TYPES: readonly string[] = [PaymentApplied, PaymentExpired, PaymentRefused].map(({ type }) => type);
const PAGE_SIZE = 1_000;
const CHECKPOINT_KEY = 'payments/all-ended-up-to';
const CHECKPOINT_TTL_MS = 30 * DAY_MS;
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

interface OpenPaymentsDependencies {
  readonly log: Pick<EventLog, 'readAll' | 'readNews' | 'head'>;
  readonly coordination: Coordination;
  readonly clock: Clock;
  readonly chains: readonly Chain[];
}

/**
 * Open payments, and settled ones that are not final. Read from the log itself because a projection may stop. Each
 * process keeps the lists in memory and starts reading at a shared checkpoint.
 */
export class OpenPayments {
  private readonly open = new Map<string, OpenPayment>();
  private readonly settled = new Map<string, SettledPayment>();
  private position: Position | null = null;
  private savedCheckpoint: Position | null = null;
  private catchingUp: Promise<void> | null = null;

  constructor(private readonly dependencies: OpenPaymentsDependencies) {}

  /** Reads up to the head of the log. Oldest first. Errors: `Unavailable`. */
  async all(): Promise<readonly OpenPayment[]> {
    this.catchingUp ??= this.catchUp().finally(() => (this.catchingUp = null));
    await this.catchingUp;
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

  private async catchUp(): Promise<void> {
    const { log } = this.dependencies;
    const head = await log.head();
    this.position ??= await this.loadCheckpoint(head);
    while (this.position < head) {
      const { events, next } = await this.readPageAfter(this.position);
      for (const event of events) {
        this.applyEvent(event, this.position);
        this.applySettlement(event, this.position);
      }
      if (next === this.position) break;
      this.position = next;
    }
    await this.saveCheckpoint();
  }

  /** Reads the store only if the cached news end before the head. */
  private async readPageAfter(position: Position): Promise<EventPage> {
    const { log } = this.dependencies;
    const news = await log.readNews(position, PAGE_SIZE, EVENT_TYPES);
    return news.next > position ? news : log.readAll(position, PAGE_SIZE, EVENT_TYPES);
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

  private async loadCheckpoint(head: Position): Promise<Position> {
    const { coordination, clock } = this.dependencies;
    const checkpoint = await coordination.get(CHECKPOINT_KEY, clock.now());
    return checkpoint !== undefined && checkpoint <= head ? checkpoint : LOG_START;
  }

  private async saveCheckpoint(): Promise<void> {
    const position = this.position ?? LOG_START;
    const payments = [...this.open.values(), ...this.settled.values()];
    const positions = payments.map(payment => payment.positionBefore);
    const checkpoint = positions.reduce((least, each) => (each < least ? each : least), position);
    if (checkpoint === this.savedCheckpoint) return;
    const { coordination, clock } = this.dependencies;
    const now = clock.now();
    const expiresAt = now + CHECKPOINT_TTL_MS;
    const storedCheckpoint = await coordination.putIfAbsent(CHECKPOINT_KEY, checkpoint, expiresAt, now);
    // Keeps a later checkpoint of another process, unless it is beyond the head and thus belongs to another log.
    const isLater = storedCheckpoint !== undefined && storedCheckpoint > checkpoint && storedCheckpoint <= position;
    if (storedCheckpoint !== undefined && !isLater)
      await coordination.compareAndSet(CHECKPOINT_KEY, storedCheckpoint, checkpoint, expiresAt, now);
    this.savedCheckpoint = checkpoint;
  }
}

const nonceKey = (payment: string, relayer: string, nonce: number) =>
  `${payment.split(':')[0]}/${relayer.toLowerCase()}/${nonce}`;
