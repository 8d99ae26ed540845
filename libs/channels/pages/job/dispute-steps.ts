import { posterEndsUntil } from '#libs/features/hires/domain/escrow.js';
import type { HireDetails } from '#libs/features/records/hire-details.js';
import { formatTime } from '#libs/channels/pages/elements/formats.js';
import { area, type Step } from './steps.js';

type Hire = HireDetails['hire'];

export const neededArea = (name: string, label: string, hint?: string) =>
  area(name, label, { isRequired: true, ...(hint && { hint }) });

export const partiesOf = ({ poster, worker }: Hire) => (poster === null ? [worker] : [poster, worker]);

/** Steps that the state of a hire allows. */
export const isFunded = ({ escrow }: Hire) => escrow?.status === 'funded';

const holdHint = (reviewEndsAt: number) =>
  ` You can dispute until ${formatTime(reviewEndsAt)}. A dispute holds the wage: the terms of the job say who decides it.`;

export function disputeSteps(hire: Hire): Step[] {
  const fixed = { hire: String(hire.hire) };
  const open = hire.dispute?.state === 'open' ? hire.dispute : null;
  const ends = isFunded(hire) ? (hire.escrow?.review_ends_at ?? null) : null;
  const only = open ? [open.by] : ends === null ? partiesOf(hire) : [hire.poster ?? ''];
  const dispute: Step = {
    operation: 'dispute',
    fixed,
    summary: open ? 'Change the dispute' : 'Dispute',
    button: open ? 'Save the reason' : 'Open a dispute',
    inputs: [
      neededArea('reason', 'What is wrong', `Public, at least 20 characters.${ends === null ? '' : holdHint(ends)}`),
    ],
    only,
    done: 'The dispute is public.',
    program: 'Dispute',
  };
  const withdraw: Step = {
    operation: 'dispute',
    fixed: { ...fixed, withdraw: 'true' },
    button: 'Withdraw the dispute',
    only,
    done: 'The dispute is withdrawn.',
    program: 'Withdraw the dispute',
  };
  // An escrowed hire can only be disputed in its review.
  if (hire.escrow && ends === null && !open) return [];
  return [dispute, ...(open ? [withdraw] : [])];
}

const endHint = (hire: Hire) =>
  isFunded(hire)
    ? 'Public, at least 10 characters. The wage goes back to the poster, who can end the hire only within an hour.'
    : 'Public, at least 10 characters. The seat becomes free.';

const OVER: ReadonlySet<string> = new Set(['returned', 'lost']);

/** Parties that can end the hire at this time, unix ms. */
function endingParties(hire: Hire, now: number): readonly string[] {
  const { delivery, escrow, created_at, worker } = hire;
  if (isFunded(hire)) return delivery || now >= posterEndsUntil(created_at) ? [worker] : partiesOf(hire);
  const isDecided = escrow !== null && !OVER.has(escrow.status);
  return delivery || isDecided ? [] : partiesOf(hire);
}

export function endSteps(hire: Hire, now: number): Step[] {
  const only = endingParties(hire, now);
  const step: Step = {
    operation: 'end_hire',
    fixed: { hire: String(hire.hire) },
    summary: 'End the hire',
    button: 'End it',
    inputs: [neededArea('reason', 'Reason', endHint(hire))],
    only,
    done: 'The hire has ended.',
    program: 'End the hire',
  };
  return only.length > 0 ? [step] : [];
}
