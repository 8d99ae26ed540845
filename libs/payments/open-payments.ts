import type { Coordination } from '#libs/coordination/port.js';
import type { EventLog } from '#libs/event-log/port.js';
import { type Clock, DAY_MS } from '#libs/kernel/clock.js';
import { type Position, START, type StoredEvent } from '#libs/kernel/event.js';
import { streamKey } from '#libs/streams/define.js';
import { PaymentAccepted, PaymentApplied, PaymentExpired, PaymentRefused } from '#libs/streams/payment.js';

const TYPES = [PaymentAccepted, PaymentApplied, PaymentExpired, PaymentRefused].map(({ type }) => type);
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
}

export interface OpenPaymentsDependencies {
  readonly log: Pick<EventLog, 'readAll' | 'head'>;
  readonly coordination: Coordination;
  readonly clock: Clock;
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

  private async readOn(): Promise<void> {
    const { log } = this.dependencies;
    const head = await log.head();
    this.at ??= await this.checkpoint(head);
    while (this.at < head) {
      const { events, next } = await log.readAll(this.at, PAGE, TYPES);
      for (const event of events) this.take(event, this.at);
      if (next === this.at) break;
      this.at = next;
    }
    await this.keep();
  }

  private take({ type, stream, at }: StoredEvent, behind: Position): void {
    const id = streamKey(stream);
    if (type === PaymentAccepted.type) this.open.set(id, { id, at, behind });
    else this.open.delete(id);
  }

  /** A checkpoint behind the head is one of a log that was there before this one. */
  private async checkpoint(head: Position): Promise<Position> {
    const { coordination, clock } = this.dependencies;
    const kept = await coordination.get(CHECKPOINT, clock.now());
    return kept !== undefined && kept <= head ? kept : START;
  }

  private async keep(): Promise<void> {
    const [oldest] = this.open.values();
    const safe = oldest?.behind ?? this.at ?? START;
    if (safe === this.kept) return;
    const { coordination, clock } = this.dependencies;
    const now = clock.now();
    const until = now + CHECKPOINT_KEPT_MS;
    const before = await coordination.putIfAbsent(CHECKPOINT, safe, until, now);
    if (before !== undefined) await coordination.compareAndSet(CHECKPOINT, before, safe, until, now);
    this.kept = safe;
  }
}
