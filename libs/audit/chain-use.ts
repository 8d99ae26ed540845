import { EscrowReleased, EscrowReturned, EscrowSecured, EscrowSubmitted } from '#libs/domain/escrow.js';
import { PaymentAccepted, PaymentSettled, PaymentSubmitted } from '#libs/domain/payment.js';
import { ClockMoved } from '#libs/domain/service.js';
import { hasOrderedTime } from '#libs/event-log/append-times.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { DAY_MS, HOUR_MS } from '#libs/kernel/clock.js';
import type { Event } from '#libs/kernel/event.js';

/** Hours of use, or days of any event, after which the money of a decided escrow should have been sent. */
export const USED_HOURS = 24;
export const ACTIVE_DAYS = 30;

/** Events that a service can only write with an answer of the chain. */
const USES: ReadonlySet<string> = new Set(
  [
    PaymentAccepted,
    PaymentSubmitted,
    PaymentSettled,
    EscrowSecured,
    EscrowSubmitted,
    EscrowReleased,
    EscrowReturned,
  ].map(({ type }) => type),
);

/** Units of time with an event, in their order. */
class CountedUnits {
  private units: number[] = [];

  constructor(
    private readonly unitMs: number,
    private readonly enough: number,
  ) {}

  /** Returns whether the unit is new. */
  record(at: number): boolean {
    const unit = Math.floor(at / this.unitMs);
    if (unit <= (this.units.at(-1) ?? -Infinity)) return false;
    this.units.push(unit);
    return true;
  }

  dropAfter(at: number): void {
    this.units = this.units.filter(unit => unit * this.unitMs <= at);
  }

  /** Whether there were enough units after a time. */
  isOver(since: number): boolean {
    return (this.units.at(-this.enough) ?? -Infinity) > Math.floor(since / this.unitMs);
  }
}

const chainOf = (payment: string) => payment.split(':', 1)[0]!;

/** Counts when the service worked and used a chain, because it cannot send money while it is down or cut off. */
export class ChainUse {
  private readonly days = new CountedUnits(DAY_MS, ACTIVE_DAYS);
  private readonly hours = new Map<string, CountedUnits>();
  /** Changes with each new hour or day. */
  counted = 0;

  record({ type, at, data }: Event): void {
    if (!hasOrderedTime(type, EVENT_TYPES)) return;
    if (type === ClockMoved.type) for (const units of [this.days, ...this.hours.values()]) units.dropAfter(at);
    if (this.days.record(at)) this.counted += 1;
    if (USES.has(type) && this.hoursOf((data as { readonly payment: string }).payment).record(at)) this.counted += 1;
  }

  /** The service used the chain of the payment long enough after a time, unix ms. */
  isUsedLongAfter(payment: string, since: number): boolean {
    return this.hoursOf(payment).isOver(since);
  }

  isActiveLongAfter(since: number): boolean {
    return this.days.isOver(since);
  }

  private hoursOf(payment: string): CountedUnits {
    const chain = chainOf(payment);
    const hours = this.hours.get(chain) ?? new CountedUnits(HOUR_MS, USED_HOURS);
    this.hours.set(chain, hours);
    return hours;
  }
}
