import type { Coordination } from '#libs/platform/coordination/port.js';
import type { EventLog, EventPage } from '#libs/event-log/event-log.port.js';
import { type Clock, DAY_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { type Position, LOG_START, type StoredEvent } from '#libs/kernel/event.js';
import { parseStreamKey } from '#libs/domain/define.js';
import {
  type PaymentAcceptedEvent,
  PaymentAccepted,
  PaymentApplied,
  PaymentExpired,
  PaymentRefused,
  PaymentSettled,
  PaymentSubmitted,
  type SubmittedTransaction,
} from '#libs/domain/payment.js';
import { SETTLEMENT_EVENT_TYPES, type SettledPayments } from './settled-payments.js';

const END_EVENTS = [PaymentApplied, PaymentExpired, PaymentRefused];
const EVENT_TYPES = [
  ...[PaymentAccepted, PaymentSubmitted, ...END_EVENTS].map(({ type }) => type),
  ...SETTLEMENT_EVENT_TYPES,
];
const END_EVENT_TYPES: ReadonlySet<string> = new Set(END_EVENTS.map(({ type }) => type));
const PAGE_SIZE = 1_000;
const CHECKPOINT_KEY = 'payments/all-ended-up-to';
/** Losing the checkpoint costs one reading of the log. */
const CHECKPOINT_TTL_MS = 30 * DAY_MS;

/** A payment that has not ended, and when it was accepted (unix ms). */
export interface OpenPayment {
  readonly id: string;
  readonly at: number;
  /** A position of which it is known that every payment accepted up to there has ended, but for those in this list. */
  readonly positionBefore: Position;
  /** Until when its transaction can settle (unix ms): until then its fee is raised where no block takes it. */
  readonly validUntil: number;
  /** The places of its transactions, as `placeOf` names them. */
  readonly nonceKeys: readonly string[];
  /** When it settled (unix ms), where it has: what was paid for is owed since. */
  readonly settledAt: number | null;
}

export interface OpenPaymentsDependencies {
  readonly log: Pick<EventLog, 'readAll' | 'readNews' | 'head'>;
  readonly coordination: Coordination;
  readonly clock: Clock;
  /** Is told of every settlement. */
  readonly settled: SettledPayments;
}

/**
 * The payments that have not ended, by the log itself: a projection may stand still, and money must not. Each process
 * keeps the list in memory and reads on from where it was; one that starts begins at a checkpoint that all share.
 */
export class OpenPayments {
  private readonly open = new Map<string, OpenPayment>();
  private position: Position | null = null;
  private savedCheckpoint: Position | null = null;
  private catchingUp: Promise<void> | null = null;

  constructor(private readonly dependencies: OpenPaymentsDependencies) {}

  /** As the log stands now, the oldest first. Errors: `Unavailable`. */
  async all(): Promise<readonly OpenPayment[]> {
    this.catchingUp ??= this.catchUp().finally(() => (this.catchingUp = null));
    await this.catchingUp;
    return [...this.open.values()];
  }

  /**
   * Whether a payment that can still settle has a transaction at a nonce of the relayer that sends for the payment `id`.
   */
  async isNonceInUse(id: string, relayer: string, nonce: number): Promise<boolean> {
    const place = nonceKey(id, relayer, nonce);
    const now = this.dependencies.clock.now();
    return (await this.all()).some(({ validUntil: until, nonceKeys: places }) => until > now && places.includes(place));
  }

  private async catchUp(): Promise<void> {
    const { log } = this.dependencies;
    const head = await log.head();
    this.position ??= await this.loadCheckpoint(head);
    while (this.position < head) {
      const { events, next } = await this.readPageAfter(this.position);
      for (const event of events) {
        if (SETTLEMENT_EVENT_TYPES.includes(event.type)) this.dependencies.settled.applyEvent(event, this.position);
        this.applyEvent(event, this.position);
      }
      if (next === this.position) break;
      this.position = next;
    }
    await this.saveCheckpoint();
  }

  /** Mostly from memory. Where news end before the head, the rest is read from the store. */
  private async readPageAfter(at: Position): Promise<EventPage> {
    const { log } = this.dependencies;
    const news = await log.readNews(at, PAGE_SIZE, EVENT_TYPES);
    return news.next > at ? news : log.readAll(at, PAGE_SIZE, EVENT_TYPES);
  }

  private applyEvent({ type, stream, at, data }: StoredEvent, behind: Position): void {
    const id = parseStreamKey(stream);
    const known = this.open.get(id);
    if (type === PaymentAccepted.type) {
      const until = Number((data as unknown as PaymentAcceptedEvent['data']).valid_before) * SECOND_MS;
      this.open.set(id, { id, at, positionBefore: behind, validUntil: until, nonceKeys: [], settledAt: null });
    } else if (END_EVENT_TYPES.has(type)) this.open.delete(id);
    else if (known && type === PaymentSettled.type) this.open.set(id, { ...known, settledAt: at });
    else if (known && type === PaymentSubmitted.type) {
      const { relayer, relayer_nonce: nonce } = data as unknown as SubmittedTransaction;
      this.open.set(id, { ...known, nonceKeys: [...known.nonceKeys, nonceKey(id, relayer, nonce)] });
    }
  }

  /** A checkpoint behind the head is one of a log that was there before this one. */
  private async loadCheckpoint(head: Position): Promise<Position> {
    const { coordination, clock } = this.dependencies;
    const kept = await coordination.get(CHECKPOINT_KEY, clock.now());
    return kept !== undefined && kept <= head ? kept : LOG_START;
  }

  private async saveCheckpoint(): Promise<void> {
    const at = this.position ?? LOG_START;
    const behind = [...this.open.values(), ...this.dependencies.settled.all()].map(payment => payment.positionBefore);
    const safe = behind.reduce((least, each) => (each < least ? each : least), at);
    if (safe === this.savedCheckpoint) return;
    const { coordination, clock } = this.dependencies;
    const now = clock.now();
    const until = now + CHECKPOINT_TTL_MS;
    const before = await coordination.putIfAbsent(CHECKPOINT_KEY, safe, until, now);
    // Another process may have found more settlements to be final. One behind the head is of another log.
    const isFurther = before !== undefined && before > safe && before <= at;
    if (before !== undefined && !isFurther) await coordination.compareAndSet(CHECKPOINT_KEY, before, safe, until, now);
    this.savedCheckpoint = safe;
  }
}

/** One nonce of one account on one chain, which the payment's id begins with. */
const nonceKey = (payment: string, relayer: string, nonce: number) =>
  `${payment.split(':')[0]}/${relayer.toLowerCase()}/${nonce}`;
