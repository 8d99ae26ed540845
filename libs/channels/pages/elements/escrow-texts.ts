import type { Job } from './jobs.js';
import { pluralize } from './formats.js';

/** Texts about an escrow that the service and the scripts of pages share. */

export type EscrowTerms = Pick<NonNullable<Job['escrow']>, 'work_days' | 'review_days' | 'undecided'>;

/** Days that an escrow is held after work and reviews. */
const MARGIN_DAYS = 10;
/** The review, its repetition for a replacement, and a dispute. */
const REVIEWS = 3;

export const countDays = (days: number) => pluralize(days, 'day');

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
