import type { Escrow } from '#libs/features/jobs/views/position.shape.js';
import type { ShapeValue } from '#libs/channels/pages/shell/page-content.js';
import type { Job } from './jobs.js';
import { pluralize } from './formats.js';

/** Texts about an escrow that the service and the scripts of pages share. */

export type EscrowTerms = Pick<NonNullable<Job['escrow']>, 'work_days' | 'review_days' | 'undecided'>;

/** Days that an escrow is held after work and reviews. */
const MARGIN_DAYS = 10;
/** The review, its repetition for a replacement, and a dispute. */
const REVIEWS = 3;

export const countDays = (days: number) => pluralize(days, 'day');
export const countHours = (hours: number) => pluralize(hours, 'hour');

const holdingText = ({ work_days, review_days }: EscrowTerms) =>
  `a contract on the chain holds the wage for at most ${countDays(work_days + REVIEWS * review_days + MARGIN_DAYS)}`;

const disputeText = ({ undecided }: EscrowTerms) =>
  undecided === 'released'
    ? 'the arbiter decides a dispute, and if it does not, the wage is released'
    : 'a dispute that is not withdrawn returns it';

/** Names the holder of the money, the time and the party that decides. */
export const escrowSentence = (terms: EscrowTerms) =>
  `From the hire on, ${holdingText(terms)}, and the service can only release it to the worker, when the poster accepts ` +
  `or the review ends without a dispute, or return it to the poster; ${disputeText(terms)}.`;

/** For the agent that posts the job. */
export const ownEscrowSentence = (terms: EscrowTerms) =>
  `You pay each wage when you hire. From then on, ${holdingText(terms)}, and the service can only release it to the ` +
  `worker, when you accept or your review ends without a dispute, or return it to you; ${disputeText(terms)}.`;

/** For applicants: an escrow names its receiver before the work starts. */
export const ESCROW_ADDRESS_NOTE =
  'The wage of this job is held in an escrow: if you are hired, the chain shows the address that your wage goes to.';

export type HireEscrow = Omit<ShapeValue<typeof Escrow>, 'amount' | 'rail' | 'tx'>;

const REASONS: { readonly [reason: string]: string } = {
  accepted: 'the poster accepted the delivery',
  review_over: 'the review ended without a dispute',
  arbiter: 'the arbiter decided so',
  undecided: 'the dispute was not decided in time',
  ended: 'the hire ended',
  not_delivered: 'nothing was delivered in time',
  undeliverable: 'the chain refused the release',
  deadline_missed: 'its deadline passed before the release',
  reclaimed: 'the poster took it back on the chain',
  operator: 'the operator decided so',
  escrow_lost: 'a reorganisation of the chain undid the payment into its escrow',
};

/** `words`: those of the operator, if it decided. */
export function reasonText(reason: string | null, words?: string): string {
  if (reason === null) return '';
  return `: ${REASONS[reason] ?? reason}${words ? ` (“${words}”)` : ''}`;
}

const HELD: ReadonlySet<HireEscrow['status']> = new Set(['funded', 'releasing', 'released']);

/** Whether the poster owes nothing, because the escrow pays the worker or may still do so. */
export const isWageHeld = (escrow: Pick<HireEscrow, 'status'> | null): boolean =>
  escrow !== null && HELD.has(escrow.status);
