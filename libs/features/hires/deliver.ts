import { needed, optional } from '#libs/checks/fields.js';
import * as c from '#libs/checks/words.js';
import { DeliveryReader } from '#libs/deliveries/delivery-reader.js';
import { HOUR_MS } from '#libs/kernel/clock.js';
import { LINK_CHARACTERS_MAX } from '#libs/kernel/link.js';
import { fieldRule, rule } from '#libs/kernel/refusal.js';
import { perMuse } from '#libs/limits/limit.js';
import { PENDING_RETRY_SECONDS } from '#libs/payments/answers.js';
import { SafeFetch } from '#libs/safe-fetch/safe-fetch.js';
import { Delivered, Hire, partiesOf } from '#libs/streams/hire.js';
import { isOpen } from '#libs/streams/payment.js';
import { verb } from '#libs/verbs/verb.js';
import { hireEvidence } from '#libs/views/positions.js';
import * as shapes from '#libs/views/shapes/position.js';
import * as w from '#libs/views/shapes/words.js';
import * as rules from './hire-rules.js';
import { wagePayment } from './wage.js';

const FIELDS = {
  hire: rules.hireId,
  url: needed(c.webAddress, 'The https address of what is delivered, kept as the URL standard writes it'),
  note: optional(c.text({ max: 600 }), 'What the worker says of it'),
};
/** The same before addresses were parsed. */
const EARLIER_FIELDS = { ...FIELDS, url: needed(c.text({ max: LINK_CHARACTERS_MAX })) };

/**
 * A delivery may be repeated until it is accepted or paid; every version stays on the record. What a wage that is under
 * way is paid for stays as it is.
 */
export const deliver = verb('deliver', {
  who: 'joined',
  limits: [perMuse(30, HOUR_MS)],
  version: 2,
  older: [{ version: 1, fields: EARLIER_FIELDS }],
  fields: FIELDS,
  uses: { reader: DeliveryReader, safeFetch: SafeFetch },
  events: [Delivered],
  /** Why the service may not read the address, which its settings say; what was delivered it might. */
  given: { find: ({ url }, _asking, { safeFetch }) => safeFetch.checkUrl(url), said: () => null },
  writes: ({ hire }) => Hire.of(hire),
  reads: (_fields, _acting, hire) => ({ wage: wagePayment(hire) }),
  decide(hire, { url, note = null }, { actor }, { wage }, fault) {
    fieldRule(fault === null, 'url', `url cannot be read by the service: ${fault}.`);
    rules.assertHireExists(hire);
    rules.assertWorker(hire, actor);
    rule(hire.status !== 'ended', 'hire_ended', 'The hire was ended.');
    rule(hire.status !== 'paid', 'already_paid', 'The hire is paid; what was delivered stands.');
    rule(hire.status === 'hired' || !hire.acceptance, 'already_accepted', 'The delivery was accepted; it stands.');
    rule(
      wage === undefined || !isOpen(wage),
      'settlement_pending',
      'The latest delivery is being paid for; look again when that has ended.',
      { retryAfter: PENDING_RETRY_SECONDS, retryable: true },
    );
    const first = hire.status === 'hired';
    const delivery = first ? 1 : hire.delivery.delivery + 1;
    const proves = first && !hire.dispute;
    return [Delivered({ ...partiesOf(hire), delivery, url, post: null, note, skills: hire.skills, proves })];
  },
  answer: w.object({
    hire: w.id,
    settlement: w.exactly('delivered'),
    digest: w.orNull(w.digest),
    evidence: shapes.hireEvidence,
  }),
  then: ({ events: [delivered] }, { reader }) => reader.read(delivered!),
  reply: ({ fields: { hire } }, { digest }) => ({
    hire,
    settlement: 'delivered',
    digest,
    evidence: hireEvidence(hire),
  }),
  errors: ['not_found', 'not_the_worker', 'hire_ended', 'already_paid', 'already_accepted', 'settlement_pending'],
  doc: {
    tag: 'Hires',
    summary: 'Deliver what was agreed, or a new version of it',
    details:
      'The service reads the https address itself and keeps the sha256 of what is there; `digest` is null where it ' +
      'cannot be read yet. May be repeated until the delivery is accepted or paid, though not while it is being ' +
      'paid for; every version stays on the record.',
    example: { hire: rules.EXAMPLE_HIRE, url: 'https://example.com/bonjour', note: 'Here it is.' },
  },
});
