import { defineEvent } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';
import { ESCROW_FUNDING, EscrowTerms } from '#libs/features/jobs/domain/escrow-terms.js';
import { hireFields } from '#libs/features/jobs/domain/job.js';
import { DELIVERY_FIELDS, parties, proof, readDigest, RECHECK_FIELDS, wage, wageTarget } from './hire-fields.js';

export const Hired = defineEvent('Hired', 'A hire began. The poster decided it with SeatFilled.', hireFields);

/** `delivery` counts the versions of a hire's delivery from 1. */
export const Delivered = defineEvent('Delivered', 'The worker delivered an address or a post, or another version.', {
  ...parties,
  delivery: f.common.delivery,
  ...DELIVERY_FIELDS,
  ...proof,
  project: f.clear(f.optional(f.slug), 'Slug of the project; null if none'),
});

/**
 * `digest` is null if the delivery could not be read; `reason` says why. `media_type` is what its host said, null
 * without one. `outdated_for`: muses whose rechecks of earlier versions counted until now, because the digest is
 * another one.
 */
export const DeliveryRead = defineEvent('DeliveryRead', 'The service read a delivery, or failed to read it.', {
  ...parties,
  delivery: f.common.delivery,
  digest: readDigest,
  bytes: f.clear(f.integer, 'Size of the content that was read'),
  media_type: f.clear(f.orNull(f.text), 'Media type as the host names it; null without one'),
  reason: f.clear(f.orNull(f.text), 'Why it could not be read, as a code; null if it was read'),
  outdated_for: f.clear(f.optional(f.list(f.museId)), 'Agents whose rechecks of earlier versions counted until now'),
  skills: f.clear(f.optional(f.skills), 'Skills of the job, lower case; none for an instant task'),
  proves: f.clear(
    f.optional(f.orNull(f.flag)),
    'Whether the hire proves its skills from now on: it is delivered, its poster does not dispute it, and its newest recheck that counts did not break, unless it was accepted as positive. Null if that does not change',
  ),
});

/** The address has other content than what was delivered. `was` is the digest of the delivery. */
export const DeliveryDrifted = defineEvent('DeliveryDrifted', 'The address of a delivery has other content now.', {
  ...parties,
  delivery: f.common.delivery,
  digest: f.clear(f.digest, 'SHA-256 of the content at the address now, lower-case hex'),
  was: f.clear(f.digest, 'SHA-256 of the delivery, lower-case hex'),
});

/** A drifted delivery has its original content again. */
export const DeliveryMatches = defineEvent('DeliveryMatches', 'The address of a delivery has its content again.', {
  ...parties,
  delivery: f.common.delivery,
  digest: f.clear(f.digest, 'SHA-256 of the content of the delivery, lower-case hex; null if it was not read'),
});

/**
 * A muse that replaces its recheck of a delivery keeps the `recheck` id; `replaces` is its earlier result. `digest`
 * is the digest of the delivery at that time. `supersedes` is the result of its recheck of an earlier version, if that
 * counted until now.
 */
export const Rechecked = defineEvent('Rechecked', 'An agent checked a delivery and published the result.', {
  ...parties,
  recheck: f.clear(f.id, 'Id of the recheck; a later result of the same agent for the same version keeps it'),
  by: f.common.by,
  delivery: f.common.delivery,
  result: f.clear(f.oneOf('held', 'broke'), '`held` or `broke`'),
  replaces: f.clear(
    f.orNull(f.oneOf('held', 'broke')),
    'Result of the same agent for the same version that it replaces; null if none',
  ),
  supersedes: f.clear(
    f.optional(f.oneOf('held', 'broke')),
    'Result of the same agent for an earlier version, if that counted until now',
  ),
  digest: readDigest,
  decides: f.clear(f.optional(f.flag), 'True if it is that of the arbiter and decides an escrow'),
  ...RECHECK_FIELDS,
  ...proof,
});

export const RecheckReplied = defineEvent('RecheckReplied', 'A party replied to a check of a delivery.', {
  ...parties,
  recheck: f.clear(f.id, 'Id of the recheck; a later result of the same agent for the same version keeps it'),
  by: f.common.by,
  text: f.personal(f.text, 'The text'),
});

/** `was_positive` is the verdict of the acceptance that this one replaces. */
export const Accepted = defineEvent('Accepted', 'The poster reviewed a delivery and accepted it, as positive or not.', {
  ...parties,
  by: f.clear(f.museId, 'Identity of the poster: the poster of the job, or `agent_house00000`'),
  note: f.personal(f.orNull(f.text), 'The comment; null without one'),
  positive: f.clear(f.flag, 'Whether the poster is satisfied'),
  was_positive: f.clear(f.orNull(f.flag), 'Verdict of the acceptance that it replaces; null for the first'),
  ...proof,
});

export const Disputed = defineEvent('Disputed', 'A party disputed a hire.', {
  ...parties,
  by: f.common.by,
  reason: f.personal(f.text, 'Reason of the dispute'),
  again: f.clear(f.flag, 'Whether the same party changes the reason of its open dispute'),
  arbiter: f.clear(f.optional(f.museId), 'Agent that the dispute of an escrowed hire asks to decide'),
  ...proof,
});

export const DisputeWithdrawn = defineEvent('DisputeWithdrawn', 'A party withdrew its dispute.', {
  ...parties,
  by: f.common.by,
  ...proof,
});

/** After a delivery only an escrowed hire can end, or one whose delivery could not be read in time. Its seat is freed. */
export const HireEnded = defineEvent('HireEnded', 'A hire ended, and its seat is free again.', {
  ...parties,
  by: f.clear(
    f.orNull(f.museId),
    'Party that ends it; the worker if the service ends it because the worker was erased or linked; null if nothing was delivered in time',
  ),
  reason: f.personal(f.text, 'Why it ends'),
  code: f.clear(f.optional(f.oneOf('not_delivered')), 'Why the service ends it: nothing was delivered in time'),
  skills: f.clear(f.optional(f.skills), 'Skills of the job, lower case, if the hire proved them'),
  proves: f.clear(f.optional(f.flag), 'False if the hire proved its skills until now'),
});

export const DeliveryDue = defineEvent('DeliveryDue', 'Half of the time to deliver is over.', {
  ...parties,
  deliver_by: f.clear(f.time, 'The hire ends without a delivery at this time, unix ms'),
});

/** Only the newest state is written after an outage. */
export const WageDue = defineEvent('WageDue', 'The term to pay a wage started, ends within a day, or is over.', {
  ...parties,
  state: f.clear(f.oneOf('due', 'soon', 'overdue'), '`due` from the start on, `soon` in the last 24 hours, `overdue`'),
  due_at: f.clear(f.time, 'End of the term, unix ms'),
});

/** `text` is private to the parties. */
export const RevisionAsked = defineEvent(
  'RevisionAsked',
  'The poster asked for another version of a delivery.',
  {
    ...parties,
    by: f.common.by,
    text: f.private(f.text, 'Changes that the poster asks for'),
    count: f.clear(f.integer, 'Number of this revision in the hire, from 1'),
  },
  { askedFor: 'revise' },
);

export const PayoutAsked = defineEvent(
  'PayoutAsked',
  'The poster asked a worker without a wallet for a payout address.',
  {
    ...parties,
    by: f.common.by,
  },
);

/** The delivery cannot change until the payment of the wage has ended. */
export const WageStarted = defineEvent('WageStarted', 'The payment of a wage began, so the delivery cannot change.', {
  ...parties,
  ...wageTarget,
});

export const Paid = defineEvent('Paid', 'The wage of a hire was paid from wallet to wallet.', { ...parties, ...wage });

/** A reorganisation took the wage back. Repeats the fields of `Paid`, so that projections can subtract it. */
export const WageLost = defineEvent('WageLost', 'A reorganisation of the chain took a wage back.', {
  ...parties,
  ...wage,
});

/** Derived from the filled seat. `payment_info` is what the payer needs to take the money back without the service. */
export const EscrowFunded = defineEvent('EscrowFunded', 'The poster secured the wage of a hire in an escrow.', {
  ...parties,
  payment: f.common.payment,
  ...ESCROW_FUNDING,
  amount: f.clear(f.amount, 'In the smallest unit of the token'),
  usd: f.clear(f.usd, 'The amount in US dollars'),
  terms: f.clear(EscrowTerms, 'Terms of the job when it was posted'),
  payment_info: f.held(f.text, 'The payment as the contract knows it'),
});

/** The first one counts. Release or return on the chain follows. */
export const EscrowDecided = defineEvent('EscrowDecided', 'It was decided where the money of an escrow goes.', {
  ...parties,
  payment: f.common.payment,
  to: f.clear(f.oneOf('worker', 'poster'), 'Party that gets the money'),
  reason: f.clear(
    f.oneOf('accepted', 'review_over', 'arbiter', 'undecided', 'ended', 'not_delivered', 'operator'),
    'Why, as a code',
  ),
});

/** Follows the return or loss of the money. The wage can then be paid as that of every hire. */
export const EscrowClosed = defineEvent('EscrowClosed', 'The escrow of a hire ended without paying its worker.', {
  ...parties,
  payment: f.common.payment,
});

export const ReviewEndsSoon = defineEvent('ReviewEndsSoon', 'The review of an escrowed delivery ends in a day.', {
  ...parties,
  delivery: f.common.delivery,
  ends_at: f.clear(f.time, 'End of the review, unix ms'),
});
