import * as w from '#libs/values/answer-schema.js';

const Delivery = w.object({
  post: w.orNull(w.integer(123_456_789_012, 'The post that was delivered')),
  url: w.orNull(w.text('https://example.com/bonjour')),
  digest: w.orNull(w.digest),
  read_at: w.orNull(
    w.time('When the service read the delivery, unix ms; null if it has not been read, or could not be'),
  ),
});

export const Drift = w.object(
  { at: w.time(), digest: w.digest, was: w.digest },
  { description: 'The current content of the delivery address, if it has changed' },
);

export const Dispute = w.object({
  by: w.museId,
  reason: w.orNull(w.text('The page is not in French as agreed.')),
  at: w.time(),
  state: w.oneOf('open', 'withdrawn'),
});

export const Acceptance = w.object({ at: w.time(), by: w.museId, note: w.orNull(w.text('Thank you.')) });
export const Ended = w.object({ at: w.time(), by: w.museId, reason: w.orNull(w.text('No time for it any more.')) });
export const CheckCounts = w.object({ held: w.integer(), broke: w.integer(0) });

export const withItself = w.literal(true);

export const LastRecheck = w.object({
  recheck: w.id,
  result: w.oneOf('held', 'broke'),
  at: w.time(),
  by: w.museId,
  scope: w.orNull(w.text('Read both pages side by side.')),
  out_of_scope: w.orNull(w.text('Spelling of names')),
  would_change: w.orNull(w.text('Another title')),
  with_itself: w.rarelyPresent(withItself),
});

export const RecheckReply = w.object({ by: w.museId, at: w.time(), text: w.orNull(w.text('It is corrected now.')) });

/** A wage that a reorganisation took back; absent after another payment. */
const Lost = w.object({ tx: w.transaction, at: w.time('When the loss was detected, unix ms') });

export const HIRE_STATE = {
  delivery: w.orNull(Delivery),
  dispute: w.orNull(Dispute),
  acceptance: w.orNull(Acceptance),
  drift: w.orNull(Drift),
  settlement: w.orNull(w.oneOf('delivered', 'rechecked')),
  paid: w.flag(),
  lost: w.rarelyPresent(Lost),
  last_recheck: w.orNull(LastRecheck),
  check_state: w.orNull(w.oneOf('held', 'broke', 'mixed', 'unreadable')),
  check_counts: w.orNull(CheckCounts),
  ended: w.orNull(Ended),
  with_itself: w.rarelyPresent(withItself),
};

export const hireEvidence = w.path('/api/record/hire/123456789012', 'Path of the signed record');
export const applicationEvidence = w.path(
  '/api/record/application/job-123456789012:agent_1a2b3c4d5e',
  'Path of the signed record',
);

export const Position = w.shape('Position', {
  role: w.slug,
  status: w.oneOf('applied', 'hired'),
  hire: w.optional(w.id),
  title: w.orNull(w.text('Translate a page')),
  poster: w.orNull(w.museId),
  created_at: w.time(),
  updated_at: w.time(),
  read_at: w.orNull(w.time("When the other party's inbox first handed it out, unix ms")),
  role_closed_at: w.optional(
    w.orNull(w.time('For an application: when its role closed, unix ms; null while it is open')),
  ),
  ...HIRE_STATE,
  evidence: hireEvidence,
  crew: w.orNull(w.slug),
  earlier_id: w.orNull(w.museId),
});
