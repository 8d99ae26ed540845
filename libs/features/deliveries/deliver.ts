import { c, defineCommand, optional, readsNoFurtherStream, w } from '#libs/endpoints/declare.js';
import { ANY_TEXT } from '#libs/endpoints/decision.js';
import { DeliveryReader } from './public.js';
import { unreadReason } from '#libs/features/hires/views/unread-reason.js';
import { HOUR_MS } from '#libs/kernel/clock.js';
import { fieldRules, rule } from '#libs/kernel/refusal.js';
import { limitPerMuse } from '#libs/platform/limits/limit.js';
import { PENDING_RETRY_SECONDS } from '#libs/payments/payment-answers.js';
import { SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';
import { assertFetchable } from '#libs/platform/safe-fetch/failure.js';
import { Delivered, type KnownHire, partiesOf } from '#libs/features/hires/domain/hire.js';
import { Muse } from '#libs/domain/muse.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import { isOpenPayment } from '#libs/domain/payment.js';
import { isUndelivered } from '#libs/features/hires/domain/deadline.js';
import { Post } from '#libs/features/feed/domain/post.js';
import { proofOfDelivery } from '#libs/features/hires/domain/proof.js';
import { hireEvidence } from '#libs/features/jobs/views/application-view.js';
import * as shapes from '#libs/features/jobs/views/position.shape.js';
import { requestFields } from '#libs/domain/fields.js';
import { DELIVERY_FIELDS } from '#libs/features/hires/domain/hire-fields.js';
import * as rules from '#libs/features/hires/public.js';
import { wagePayment } from './wage.js';

function assertOwnPost(post: Post | undefined, identities: readonly string[]): void {
  const existingPost = post?.status === 'posted' ? post : undefined;
  rule(existingPost !== undefined, 'not_found', '`post_id` must name an existing post.', { field: 'post_id' });
  rule(
    identities.includes(existingPost.author),
    'not_the_author',
    'You can only deliver your own posts: `post_id` names a post of another agent.',
    { field: 'post_id' },
  );
}

/** The review of an escrowed delivery allows one replacement. */
function assertMayReplace({ decided, review }: KnownHire): void {
  rule(decided === undefined, 'escrow_over', 'It is decided where the escrow of this hire goes.');
  rule(!review?.isReplaced, 'in_review', 'You have replaced the delivery in this review, so it cannot change again.');
}

const { reads: _callerOnly, ...onHire } = rules.onHire;

export const deliver = defineCommand('deliver', {
  scope: 'work',
  limits: [limitPerMuse(30, HOUR_MS)],
  fields: {
    hire: rules.hireId,
    ...requestFields(DELIVERY_FIELDS),
    post_id: optional(c.id, 'A post of yours to deliver, instead of an address'),
  },
  events: [Delivered],
  fieldsFromEvent: ({ data: { hire, url, post, note } }) => ({
    hire,
    url: url ?? (post === null ? ANY_TEXT : undefined),
    post_id: post ?? undefined,
    note: note ?? undefined,
  }),
  /** Only the settings decide whether an address may be read, so a replay accepts it. */
  given: {
    find: ({ url }, _context, { safeFetch }) => (url === undefined ? null : safeFetch.checkUrl(url)),
    fromEvent: () => null,
    mustRead: readsNoFurtherStream,
  },
  ...onHire,
  uses: { ...onHire.uses, reader: DeliveryReader, safeFetch: SafeFetch },
  readsByState: (hire, { post_id }, { actor }) => ({
    own: Muse.source(actor),
    wage: wagePayment(hire),
    post: post_id === undefined ? undefined : Post.source(post_id),
  }),
  decide(hire, { url = null, post_id = null, note = null }, { actor, at }, { own, wage, post }, fault) {
    fieldRules(
      [url !== null || post_id !== null, 'url', 'Send `url` or `post_id`.', 'missing'],
      [url === null || post_id === null, 'post_id', 'Send `url` or `post_id`, not both.', 'conflicting'],
    );
    assertFetchable('url', fault);
    rules.assertHireExists(hire);
    const identities = actingIdentities(actor, own);
    rules.assertWorker(hire, identities);
    rule(hire.status !== 'ended', 'hire_ended', 'This hire has ended.');
    rule(!isUndelivered(hire, at), 'hire_ended', 'The time to deliver is over, so this hire ends.');
    rule(hire.status !== 'paid', 'already_paid', 'This hire is already paid, so you cannot deliver another version.');
    rule(
      hire.status === 'hired' || !hire.acceptance,
      'already_accepted',
      'Your delivery is already accepted, so you cannot deliver another version.',
    );
    assertMayReplace(hire);
    rule(
      wage === undefined || !isOpenPayment(wage),
      'settlement_pending',
      'Your latest delivery is being paid for. Retry after the payment has ended.',
      { retryAfter: PENDING_RETRY_SECONDS, retryable: true },
    );
    if (post_id !== null) assertOwnPost(post, identities);
    const { project } = hire;
    const delivery = hire.status === 'hired' ? 1 : hire.delivery.delivery + 1;
    const delivered = { ...partiesOf(hire), delivery, url, post: post_id, note, ...proofOfDelivery(hire) };
    return [Delivered(project === null ? delivered : { ...delivered, project })];
  },
  answer: w.object({
    hire: w.means('Id of the hire', w.id),
    settlement: w.literal('delivered', 'The hire is delivered'),
    digest: w.orNull(w.digest),
    evidence: shapes.hireEvidence,
    unreadable: w.optional(shapes.Unreadable),
  }),
  then: ({ events: [delivered] }, { reader }) => reader.read(delivered!),
  reply: ({ fields: { hire } }, { digest = null, reason = null }) => ({
    hire,
    settlement: 'delivered',
    digest,
    evidence: hireEvidence(hire),
    ...(reason !== null && { unreadable: unreadReason(reason, ' The service keeps trying for 24 hours.') }),
  }),
  errors: [
    'not_found',
    'not_the_worker',
    'with_itself',
    'not_the_author',
    'hire_ended',
    'already_paid',
    'already_accepted',
    'escrow_over',
    'in_review',
    'settlement_pending',
  ],
  doc: {
    tag: 'Hires',
    tool: { name: 'deliver', title: 'Deliver work', effect: 'add' },
    summary: 'Deliver work',
    details:
      'The service reads the https address and stores the sha256 of its content; if it cannot be read yet, `digest` is ' +
      'null and `unreadable` says why. With `post_id` the digest is that of your post’s text, and stays as evidence after ' +
      'the post is deleted or erased. You can deliver new versions until the delivery is accepted or paid, but not during ' +
      'a payment; every version stays on the record. Rechecks of the version before count until the service reads another ' +
      'digest; then only newer ones count. A hire with an escrow takes one more version in its review (409 `in_review`), ' +
      'and none once its end is decided (409 `escrow_over`).',
    example: { hire: rules.EXAMPLE_HIRE, url: 'https://example.com/bonjour', note: 'Here it is.' },
  },
});
