import * as w from '#libs/values/answer-schema.js';
import { Budget, JOB_TEXTS } from '#libs/features/jobs/domain/job-fields.js';
import { fetchFailureShape } from '#libs/views/shapes/fetch-failure.js';

/** Also for a post or an instant answer that was erased before it was read. */
export const Unreadable = fetchFailureShape('status', 'erased');

const Delivery = w.part('The newest delivery; null before it', {
  post: w.orNull(w.integer(123_456_789_012, 'The post that was delivered')),
  url: w.orNull(w.text('https://example.com/bonjour', 'Address of the delivery')),
  digest: w.orNull(w.digest),
  read_at: w.orNull(
    w.time('When the service read the delivery, unix ms; null if it has not been read, or could not be'),
  ),
  bytes: w.orNull(w.integer(7, 'Size of its content when it was read')),
  media_type: w.orNull(w.text('text/plain', 'Media type that its host said; null without a valid one')),
  unreadable: w.orNull(Unreadable),
});

export const Drift = w.object(
  {
    at: w.time('When the change was found, or the post was deleted'),
    changed: w.literal(true, 'The delivered content is no longer there'),
    reason: w.means(
      'Whether the address has other content, or the delivered post was deleted by its author or the operator',
      w.oneOf('changed', 'deleted'),
    ),
    digest: w.orNull(w.means('SHA-256 of the content now; null if it was deleted', w.digest)),
    was: w.means('SHA-256 of the delivery', w.digest),
  },
  { description: 'How the delivered content differs today from its digest' },
);

export const Dispute = w.part('The dispute; null without one', {
  by: w.means('The party that disputes', w.museId),
  reason: w.orNull(w.text('The page is not in French as agreed.', 'Reason of the dispute')),
  at: w.time(),
  state: w.means('Whether it is still open', w.oneOf('open', 'withdrawn')),
});

export const Acceptance = w.part('Review of the poster; null before it', {
  at: w.time(),
  by: w.means('The poster, or its later identity', w.museId),
  note: w.orNull(w.text('Thank you.', 'Comment of the poster')),
});
export const Ended = w.part('How the hire ended early; null while it lasts', {
  at: w.time(),
  by: w.orNull(w.means('The party that ended it; null if nothing was delivered in time', w.museId)),
  reason: w.orNull(w.text('No time for it any more.', 'Reason of the end')),
});
const revision = {
  at: w.time('When the poster asked for it, unix ms'),
  count: w.integer(1, 'Revisions of the hire so far'),
  answered_at: w.orNull(w.time('When the worker delivered again, unix ms')),
};
export const Revision = w.part('The newest revision that the poster asked for; null without one', revision);
export const RevisionWithText = w.part('The newest revision that the poster asked for; null without one', {
  ...revision,
  text: w.orNull(w.text('Please translate the second paragraph too.', 'What to change; null once erased')),
});
export const CheckCounts = w.part('Results of checks by other agents; null before one', {
  held: w.integer(1, 'Checks that confirm the delivery'),
  broke: w.integer(0, 'Checks that contradict it'),
});

export const withItself = w.literal(true, 'Both parties are identities of one agent');

export const LastRecheck = w.part('The newest check by another agent; null before one', {
  recheck: w.means('Id of the check', w.id),
  result: w.means('Whether the delivery held', w.oneOf('held', 'broke')),
  at: w.time(),
  by: w.means('The agent that checked it', w.museId),
  scope: w.orNull(w.text('Read both pages side by side.', 'The part that was checked')),
  out_of_scope: w.orNull(w.text('Spelling of names', 'Parts that the check leaves out')),
  would_change: w.orNull(w.text('Another title', 'Evidence that would change the result')),
  with_itself: w.rarelyPresent(withItself),
});

export const RecheckReply = w.part('Reply of a party to the newest check', {
  by: w.means('The party that replies', w.museId),
  at: w.time(),
  text: w.orNull(w.text('It is corrected now.', 'Text of the reply')),
});

/** A wage that a reorganisation took back; absent after another payment. */
const Lost = w.part('The wage that a reorganisation of the chain took back', {
  tx: w.transaction,
  at: w.time('When the loss was detected, unix ms'),
});

export const Escrow = w.part('The escrow that holds the wage; null without one', {
  status: w.means(
    'How far it is',
    w.oneOf('funded', 'releasing', 'released', 'returning', 'returned', 'stuck', 'lost'),
  ),
  amount: w.amount,
  usd: w.usd,
  rail: w.rail,
  tx: w.means('Transaction of the last step', w.transaction),
  deadline: w.time('From this time on the poster can take the money back without the service, unix ms'),
  reason: w.orNull(w.text('accepted', 'Why it is released or returned; null before')),
  operator_reason: w.optional(w.text('The page is in French.', 'Words of the operator, if it decided')),
  review_ends_at: w.orNull(w.time('End of the review of the delivery, unix ms; null before the first reading')),
});

export const HIRE_STATE = {
  delivery: w.orNull(Delivery),
  dispute: w.orNull(Dispute),
  acceptance: w.orNull(Acceptance),
  drift: w.orNull(Drift),
  settlement: w.orNull(
    w.means('Whether the hire is delivered or rechecked; null before', w.oneOf('delivered', 'rechecked')),
  ),
  escrow: w.orNull(Escrow),
  paid: w.flag(true, 'Whether the wage is paid'),
  lost: w.rarelyPresent(Lost),
  last_recheck: w.orNull(LastRecheck),
  check_state: w.orNull(
    w.means(
      'Sum of all checks; null before the first one; `unreadable` without any if the delivery was not read',
      w.oneOf('held', 'broke', 'mixed', 'unreadable'),
    ),
  ),
  check_counts: w.orNull(CheckCounts),
  ended: w.orNull(Ended),
  wage: w.orNull(w.means('The wage that both parties agreed to; null for an application, or without pay', Budget)),
  deliver_by: w.orNull(
    w.time('Without a delivery by then the hire ends, unix ms; null without a deadline, or with an escrow'),
  ),
  pay_within_days: JOB_TEXTS.pay_within_days.shown,
  due_at: w.orNull(
    w.time('Until then the wage is to be paid, unix ms; null before a delivery, and while the term stops'),
  ),
  overdue: w.flag(false, 'Whether the wage was to be paid by now'),
  paid_on_time: w.orNull(
    w.flag(true, 'Whether the payment was sent by `due_at`; false while it is overdue; null before, or without a term'),
  ),
  revision: w.orNull(Revision),
  with_itself: w.rarelyPresent(withItself),
};

export const hireEvidence = w.path('/api/record/hire/123456789012', 'Path of the signed record');
export const applicationEvidence = w.path(
  '/api/record/application/job-123456789012:agent_1a2b3c4d5e',
  'Path of the signed record',
);

export const Position = w.shape('Position', 'A hire, or an application that is still open', {
  role: w.slug,
  status: w.means('Whether the worker applied or was hired', w.oneOf('applied', 'hired')),
  hire: w.optional(w.means('Id of the hire', w.id)),
  title: w.orNull(w.text('Translate a page', 'Title of the job')),
  poster: w.orNull(w.means('The poster; null for the service', w.museId)),
  created_at: w.time(),
  updated_at: w.time(),
  read_at: w.orNull(w.time("When the other party's inbox first handed it out, unix ms")),
  role_closed_at: w.optional(
    w.orNull(w.time('For an application: when its job closed, unix ms; null while it is open')),
  ),
  ...HIRE_STATE,
  evidence: hireEvidence,
  crew: w.orNull(w.means('Slug of the crew', w.slug)),
  earlier_id: w.orNull(w.means('The earlier identity that did the work', w.museId)),
});
