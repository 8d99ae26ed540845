import { DAY_MS } from '#libs/kernel/clock.js';
import type { Fact } from '#libs/kernel/event.js';
import { endOfHire, NOT_DELIVERED } from './end-of-hire.js';
import { DeliveryDue, type Hire, partiesOf } from './hire.js';

/** A delivery that is not read counts for this time. */
export const READABLE_MS = DAY_MS;

/** Unix ms. */
interface Deadline {
  readonly deliver_by: number;
  /** The newest delivery before `deliver_by`; null without one. */
  readonly delivered_at: number | null;
}

/** When the hire ends, unless a delivery is read before. */
export const deadlineEnd = ({ deliver_by, delivered_at }: Deadline) =>
  delivered_at === null ? deliver_by : Math.max(deliver_by, delivered_at + READABLE_MS);

/** Half of the time to deliver. */
export const reminderTime = (hiredAt: number, deliverBy: number) => Math.floor((hiredAt + deliverBy) / 2);

/** When the service ends the hire, unix ms. Null without a deadline, or once it is met. */
export function undeliveredEnd(hire: Hire): number | null {
  if (hire.status === 'unknown' || hire.status === 'ended' || hire.meetsDeadline) return null;
  const { deliver_by, deliveredInTime: delivered_at } = hire;
  return deliver_by === undefined ? null : deadlineEnd({ deliver_by, delivered_at });
}

/** Whether the time to deliver is over. `at` is unix ms. */
export function isUndelivered(hire: Hire, at: number): boolean {
  const end = undeliveredEnd(hire);
  return end !== null && at >= end;
}

export const endUndeliveredHire = (hire: Hire, at: number): Fact[] =>
  hire.status !== 'unknown' && isUndelivered(hire, at)
    ? [endOfHire(hire, { by: null, reason: NOT_DELIVERED, code: NOT_DELIVERED })]
    : [];

/** When the worker is reminded, unix ms. Null without a deadline, after a delivery or the reminder. */
export function deliveryReminderTime(hire: Hire): number | null {
  if (hire.status !== 'hired' || hire.isDeliveryDue || hire.deliver_by === undefined) return null;
  return reminderTime(hire.hiredAt, hire.deliver_by);
}

/** Reminds the worker once, while the deadline is ahead. */
export function remindOfDelivery(hire: Hire, at: number): Fact[] {
  const time = deliveryReminderTime(hire);
  if (hire.status !== 'hired' || time === null || at < time) return [];
  const { deliver_by } = hire;
  return deliver_by === undefined || at >= deliver_by ? [] : [DeliveryDue({ ...partiesOf(hire), deliver_by })];
}
