import type { Description } from '#libs/http/description.js';
import { Receipt } from '#libs/views/shapes/item.js';
import { PAID } from '#libs/views/shapes/payment.js';
import { hireEvidence } from '#libs/views/shapes/position.js';
import * as w from '#libs/views/shapes/words.js';

const tag = 'Hires';
const hire = '123456789012';

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
