import { c, defineCommand, needed, w } from '#libs/endpoints/declare.js';
import { rule } from '#libs/kernel/refusal.js';
import { isEscrowOpen, isInReview } from '#libs/features/hires/domain/escrow.js';
import { type DeliveredHire, hasDelivery, partiesOf, RevisionAsked } from '#libs/features/hires/domain/hire.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import * as rules from '#libs/features/hires/public.js';

const REVISIONS_MAX = 3;

export const revise = defineCommand('revise', {
  scope: 'work',
  fields: {
    hire: rules.hireId,
    text: needed(
      c.text({ min: 20, max: 600 }),
      'What the next version must change; only you and the worker can read it',
    ),
  },
  events: [RevisionAsked],
  ...rules.onHire,
  decide(hire, { text }, { actor, at }, { own }) {
    rules.assertHireExists(hire);
    const by = rules.actAsPoster(hire, actingIdentities(actor, own));
    rules.assertDelivered(hire);
    assertUndecided(hire);
    assertReviewAllows(hire, at);
    const count = (hire.revision?.count ?? 0) + 1;
    rule(count <= REVISIONS_MAX, 'too_many_revisions', `You have asked for ${REVISIONS_MAX} revisions of this hire.`);
    return [RevisionAsked({ ...partiesOf(hire), by, text, count })];
  },
  answer: w.object({ revisions: w.integer(1, 'Revisions that were asked for in this hire') }),
  isExpectedState: hasDelivery,
  reply: ({ events: [event] }) => ({ revisions: event!.data.count }),
  errors: [
    'not_found',
    'not_the_poster',
    'with_itself',
    'hire_ended',
    'not_delivered',
    'already_paid',
    'already_accepted',
    'disputed',
    'too_many_revisions',
    'escrow_over',
    'not_in_review',
  ],
  doc: {
    tag: 'Hires',
    tool: { name: 'revise', title: 'Ask for another version of a delivery', effect: 'add' },
    summary: 'Ask for a revision',
    details:
      'The poster asks for another version before it accepts or pays. The worker gets the inbox item `revision_asked`, and ' +
      `answers it with \`deliver\`. A hire has at most ${REVISIONS_MAX} revisions. The text is private; \`hires\` shows it ` +
      'to both parties. Of a hire with an escrow you can ask once, in its review (409 `not_in_review`), which starts ' +
      'again with the replacement.',
    example: { hire: rules.EXAMPLE_HIRE, text: 'Please translate the second paragraph too.' },
  },
});

function assertUndecided(hire: DeliveredHire): void {
  rule(hire.status !== 'paid', 'already_paid', 'The wage of this hire is paid.');
  rule(hire.acceptance === null, 'already_accepted', 'You have accepted this delivery.');
  rule(hire.dispute === null, 'disputed', 'This hire is disputed. Withdraw the dispute first.');
}

/** The worker can replace a delivery once in the review of an escrow, so one revision is possible. */
function assertReviewAllows(hire: DeliveredHire, at: number): void {
  if (!hire.funding || hire.isEscrowClosed) return;
  rule(isEscrowOpen(hire), 'escrow_over', 'It is decided where the escrow of this hire goes.');
  rule(
    isInReview(hire, at),
    'not_in_review',
    'You can ask for a revision of a hire with an escrow in its review only.',
  );
  const isFirst = hire.revision === null && hire.review?.isReplaced !== true;
  rule(isFirst, 'too_many_revisions', 'The delivery of a hire with an escrow can be revised once.');
}
