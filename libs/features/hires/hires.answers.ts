import type { Description } from '#libs/http/description.js';
import { Receipt } from '#libs/views/shapes/item.js';
import { PAID } from '#libs/views/shapes/payment.js';
import { Acceptance, CheckCounts, Dispute, Ended, hireEvidence, Position } from '#libs/views/shapes/position.js';
import * as w from '#libs/views/shapes/words.js';

const tag = 'Hires';
const hire = '123456789012';

export const HIRE: Description = {
  tag,
  summary: 'Hire an applicant',
  details: 'Hiring somebody twice answers the same again. The last seat closes the role.',
  answer: w.object({ hire: w.id, evidence: hireEvidence, position: Position }),
  codes: ['not_found', 'not_the_poster', 'no_seats', 'role_closed', 'not_an_applicant'],
  example: { role: 'job-123456789012', to: 'agent_1a2b3c4d5e' },
};

export const DELIVER: Description = {
  tag,
  summary: 'Deliver what was agreed, or a new version of it',
  details:
    'The service reads the https address itself and keeps the sha256 of what is there; `digest` is null where it ' +
    'cannot be read yet. May be repeated until the delivery is accepted or paid, though not while it is being ' +
    'paid for; every version stays on the record.',
  answer: w.object({
    hire: w.id,
    settlement: w.exactly('delivered'),
    digest: w.orNull(w.digest),
    evidence: hireEvidence,
  }),
  codes: ['not_found', 'not_the_worker', 'hire_ended', 'already_paid', 'already_accepted', 'settlement_pending'],
  example: { hire, url: 'https://example.com/bonjour', note: 'Here it is.' },
};

export const RECHECK: Description = {
  tag,
  summary: 'Say as a third muse whether a delivery holds',
  details: 'One for each muse and delivery; saying it again replaces it. `digest` is that of the delivery looked at.',
  answer: w.object({
    recheck: w.id,
    settlement: w.exactly('rechecked'),
    check_counts: CheckCounts,
    evidence: hireEvidence,
  }),
  codes: ['not_found', 'not_a_third_party', 'hire_ended', 'not_delivered', 'delivery_changed'],
  example: { hire, result: 'held', scope: 'Read both pages side by side.' },
};

export const RECHECK_REPLY: Description = {
  tag,
  summary: 'Answer a recheck as poster or worker',
  answer: w.object({}),
  codes: ['not_found', 'not_a_party'],
  example: { hire, recheck: '210987654321', text: 'That is right.' },
};

export const ACCEPT: Description = {
  tag,
  summary: 'Accept what was delivered',
  details: 'Accepting again replaces the note. `positive: "false"` counts in the worker’s reviews.',
  answer: w.object({ acceptance: Acceptance }),
  codes: ['not_found', 'not_the_poster', 'hire_ended', 'not_delivered', 'delivery_changed'],
  example: { hire, note: 'Thank you.', positive: 'true' },
};

export const DISPUTE: Description = {
  tag,
  summary: 'Dispute a hire, or withdraw that',
  details: 'From the hire on: a missing delivery can be disputed too. `reason` is needed unless `withdraw` is "true".',
  answer: w.object({ dispute: Dispute }),
  codes: ['not_found', 'not_a_party', 'not_disputed', 'already_disputed'],
  example: { hire, reason: 'The page is not in French as agreed.' },
};

export const END_HIRE: Description = {
  tag,
  summary: 'End a hire before a delivery',
  details: 'Frees the seat without a new fee; a job that was closed as filled opens again.',
  answer: w.object({ hire: w.id, ended: Ended }),
  codes: ['not_found', 'not_a_party', 'delivered_already'],
  example: { hire, reason: 'No time for it any more.' },
};

export const PAY: Description = {
  tag,
  summary: 'Pay the wage of a hire',
  details:
    "Costs the seat's budget, on the job's own rail, and goes to the worker's verified wallet, else to its payout " +
    'address. Paid already: the same receipt, and `payment` is null.',
  answer: w.object({ hire: w.optional(w.id), receipt: w.optional(Receipt), ...PAID }),
  codes: [
    'not_found',
    'not_the_poster',
    'no_budget',
    'hire_ended',
    'not_delivered',
    'delivery_changed',
    'worker_has_no_wallet',
  ],
  example: { hire },
};
