import type { Coordination } from '#libs/platform/coordination/port.js';
import type { EventLog, Page } from '#libs/event-log/port.js';
import { type Clock, DAY_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { type Position, START, type StoredEvent } from '#libs/kernel/event.js';
import { streamKey } from '#libs/domain/define.js';
import {
  type Accepted,
  PaymentAccepted,
  PaymentApplied,
  PaymentExpired,
  PaymentRefused,
  PaymentSettled,
  PaymentSubmitted,
  type Submitted,
} from '#libs/domain/payment.js';
import { SETTLING_TYPES, type SettledPayments } from './settled-payments.js';

const ENDS = [PaymentApplied, PaymentExpired, PaymentRefused];
const TYPES = [...[PaymentAccepted, PaymentSubmitted, ...ENDS].map(({ type }) => type), ...SETTLING_TYPES];
const ENDED: ReadonlySet<string> = new Set(ENDS.map(({ type }) => type));
const PAGE = 1_000;
const CHECKPOINT = 'payments/all-ended-up-to';
/** Losing the checkpoint costs one reading of the log. */
const CHECKPOINT_KEPT_MS = 30 * DAY_MS;

/** A payment that has not ended, and when it was accepted (unix ms). */
export interface OpenPayment {
  readonly id: string;
  readonly at: number;
  /** A position of which it is known that every payment accepted up to there has ended, but for those in this list. */
  readonly behind: Position;
  /** Until when its transaction can settle (unix ms): until then its fee is raised where no block takes it. */
  readonly until: number;
  /** The places of its transactions, as `placeOf` names them. */
  readonly places: readonly string[];
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
  private at: Position | null = null;
  private kept: Position | null = null;
  private reading: Promise<void> | null = null;

  constructor(private readonly dependencies: OpenPaymentsDependencies) {}

  /** As the log stands now, the oldest first. Errors: `Unavailable`. */
  async all(): Promise<readonly OpenPayment[]> {
    this.reading ??= this.readOn().finally(() => (this.reading = null));
    await this.reading;
    return [...this.open.values()];
  }

  /**
   * Whether a payment that can still settle has a transaction at a nonce of the relayer that sends for the payment `id`.
   */
  async isInUse(id: string, relayer: string, nonce: number): Promise<boolean> {
    const place = placeOf(id, relayer, nonce);
    const now = this.dependencies.clock.now();
    return (await this.all()).some(({ until, places }) => until > now && places.includes(place));
  }

  private async readOn(): Promise<void> {
    const { log } = this.dependencies;
    const head = await log.head();
    this.at ??= await this.checkpoint(head);
    while (this.at < head) {
      const { events, next } = await this.pageBehind(this.at);
      for (const event of events) {
        if (SETTLING_TYPES.includes(event.type)) this.dependencies.settled.take(event, this.at);
        this.take(event, this.at);
      }
      if (next === this.at) break;
      this.at = next;
    }
    await this.keep();
  }

  /** Mostly from memory. Where news end before the head, the rest is read from the store. */
  private async pageBehind(at: Position): Promise<Page> {
    const { log } = this.dependencies;
    const news = await log.readNews(at, PAGE, TYPES);
    return news.next > at ? news : log.readAll(at, PAGE, TYPES);
  }

  private take({ type, stream, at, data }: StoredEvent, behind: Position): void {
    const id = streamKey(stream);
    const known = this.open.get(id);
    if (type === PaymentAccepted.type) {
      const until = Number((data as unknown as Accepted['data']).valid_before) * SECOND_MS;
      this.open.set(id, { id, at, behind, until, places: [], settledAt: null });
    } else if (ENDED.has(type)) this.open.delete(id);
    else if (known && type === PaymentSettled.type) this.open.set(id, { ...known, settledAt: at });
    else if (known && type === PaymentSubmitted.type) {
      const { relayer, relayer_nonce: nonce } = data as unknown as Submitted;
      this.open.set(id, { ...known, places: [...known.places, placeOf(id, relayer, nonce)] });
    }
  }

  /** A checkpoint behind the head is one of a log that was there before this one. */
  private async checkpoint(head: Position): Promise<Position> {
    const { coordination, clock } = this.dependencies;
    const kept = await coordination.get(CHECKPOINT, clock.now());
    return kept !== undefined && kept <= head ? kept : START;
  }

  private async keep(): Promise<void> {
    const at = this.at ?? START;
    const behind = [...this.open.values(), ...this.dependencies.settled.all()].map(payment => payment.behind);
    const safe = behind.reduce((least, each) => (each < least ? each : least), at);
    if (safe === this.kept) return;
    const { coordination, clock } = this.dependencies;
    const now = clock.now();
    const until = now + CHECKPOINT_KEPT_MS;
    const before = await coordination.putIfAbsent(CHECKPOINT, safe, until, now);
    // Another process may have found more settlements to be final. One behind the head is of another log.
    const isFurther = before !== undefined && before > safe && before <= at;
    if (before !== undefined && !isFurther) await coordination.compareAndSet(CHECKPOINT, before, safe, until, now);
    this.kept = safe;
  }
}

/** One nonce of one account on one chain, which the payment's id begins with. */
const placeOf = (payment: string, relayer: string, nonce: number) =>
  `${payment.split(':')[0]}/${relayer.toLowerCase()}/${nonce}`;
