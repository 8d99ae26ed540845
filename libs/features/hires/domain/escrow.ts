import { DAY_MS, HOUR_MS } from '#libs/kernel/clock.js';
import type { Fact } from '#libs/kernel/event.js';
import { READABLE_MS } from './deadline.js';
import { endOfHire, NOT_DELIVERED } from './end-of-hire.js';
import { EscrowDecided, hasDelivery, type Hire, type KnownHire, partiesOf, ReviewEndsSoon } from './hire.js';

/** Times of an escrow that is funded and not decided, unix ms. */
export interface EscrowTimes {
  readonly hired_at: number;
  readonly work_days: number;
  readonly review_days: number;
  readonly arbiter: string | null;
  /** Time of the latest delivery that has not been read; null without one. */
  readonly unread_since: number | null;
  /** First reading of the version under review. */
  readonly review_from: number | null;
  /** First dispute of the review. */
  readonly held_from: number | null;
}

interface EscrowDue {
  readonly at: number;
  readonly to: 'worker' | 'poster';
  readonly reason: 'not_delivered' | 'review_over' | 'undecided';
}

/** Time in which the poster may end a hire without a delivery. */
const POSTER_ENDS_MS = HOUR_MS;

export const reviewEnd = ({ review_from, review_days }: Pick<EscrowTimes, 'review_from' | 'review_days'>) =>
  review_from === null ? null : review_from + review_days * DAY_MS;

/** Decision of the service, if no party decides before. */
export function escrowDue(times: EscrowTimes): EscrowDue {
  const { hired_at, work_days, review_days, arbiter, unread_since, held_from } = times;
  const readable = unread_since === null ? 0 : unread_since + READABLE_MS;
  const end = reviewEnd(times);
  const workEnd = hired_at + work_days * DAY_MS;
  // Further deliveries that cannot be read do not hold the money any longer.
  const returned = Math.max(workEnd, Math.min(readable, workEnd + READABLE_MS));
  if (end === null) return { at: returned, to: 'poster', reason: 'not_delivered' };
  if (held_from === null) return { at: Math.max(end, readable), to: 'worker', reason: 'review_over' };
  return { at: held_from + review_days * DAY_MS, to: arbiter === null ? 'poster' : 'worker', reason: 'undecided' };
}

type FundedHire = KnownHire & Required<Pick<KnownHire, 'funding'>>;

/** Whether the escrow of the hire is funded, and its end not decided. */
export const isEscrowOpen = (hire: Hire): hire is FundedHire =>
  hire.status !== 'unknown' && hire.funding !== undefined && hire.decided === undefined && !hire.isEscrowClosed;

/** Whether the wage goes to the worker by the escrow. */
export const isReleased = (hire: KnownHire): boolean => hire.decided?.to === 'worker' && !hire.isEscrowClosed;

export function escrowTimes(hire: FundedHire): EscrowTimes {
  const { funding, review } = hire;
  const { work_days, review_days, arbiter } = funding.terms;
  const isUnread = hasDelivery(hire) && (hire.delivery.digest ?? null) === null;
  return {
    hired_at: funding.at,
    work_days,
    review_days,
    arbiter,
    unread_since: isUnread ? hire.delivery.at : null,
    review_from: review?.from ?? null,
    held_from: review?.heldFrom ?? null,
  };
}

/** `at` is unix ms. */
export function isInReview(hire: FundedHire, at: number): boolean {
  const end = reviewEnd(escrowTimes(hire));
  return end !== null && at < end;
}

/** Whether a dispute of the poster holds the release at this time, unix ms. */
export function isHeld(hire: FundedHire, at: number): boolean {
  const times = escrowTimes(hire);
  return times.held_from !== null && at < escrowDue(times).at;
}

/** Until then the poster may end a hire without a delivery; times in unix ms. */
export const posterEndsUntil = (hiredAt: number): number => hiredAt + POSTER_ENDS_MS;

export const mayPosterEnd = (hire: FundedHire, at: number): boolean =>
  hire.status === 'hired' && at < posterEndsUntil(hire.funding.at);

type Decision = Parameters<typeof EscrowDecided>[0];

/** Nothing without an open escrow. */
export const decideEscrow = (hire: KnownHire, to: Decision['to'], reason: Decision['reason']) =>
  isEscrowOpen(hire) ? [EscrowDecided({ ...partiesOf(hire), payment: hire.funding.payment, to, reason })] : [];

/** When the service decides by the clock, unix ms; null without an open escrow. */
export const escrowDecisionTime = (hire: Hire): number | null =>
  isEscrowOpen(hire) ? escrowDue(escrowTimes(hire)).at : null;

/** Decides by the clock; `at` is unix ms. */
export function decideByClock(hire: Hire, at: number): Fact[] {
  if (!isEscrowOpen(hire)) return [];
  const due = escrowDue(escrowTimes(hire));
  if (at < due.at) return [];
  const ended = endOfHire(hire, { by: null, reason: NOT_DELIVERED, code: NOT_DELIVERED });
  const decided = decideEscrow(hire, due.to, due.reason);
  return due.reason === NOT_DELIVERED && hire.status !== 'ended' ? [ended, ...decided] : decided;
}

/** Time before the end of a review at which the poster is reminded. */
const REMINDER_MS = DAY_MS;

const isReminderDue = ({ review_from, held_from }: EscrowTimes, isReminded: boolean) =>
  review_from !== null && held_from === null && !isReminded;

/** When the service has to act next, unix ms. */
export function nextEscrowTime(times: EscrowTimes & { readonly reminded: boolean }): number {
  const due = escrowDue(times).at;
  return isReminderDue(times, times.reminded) ? Math.min(due, reviewEnd(times)! - REMINDER_MS) : due;
}

/** Reminds the poster once a review, a day before its end. A review of one day has no reminder. */
export function remindOfReview(hire: Hire, at: number): Fact[] {
  if (!isEscrowOpen(hire) || !hasDelivery(hire)) return [];
  const times = escrowTimes(hire);
  if (!isReminderDue(times, hire.review?.isReminded ?? false)) return [];
  const ends_at = reviewEnd(times)!;
  if (at < ends_at - REMINDER_MS || at >= ends_at) return [];
  return [ReviewEndsSoon({ ...partiesOf(hire), delivery: hire.review!.delivery, ends_at })];
}
