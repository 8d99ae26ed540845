import { c, defineCommand, optional, w } from '#libs/endpoints/declare.js';
import { ANY_TEXT } from '#libs/endpoints/decision.js';
import { Journal } from '#libs/event-log/journal.js';
import { resolvePosterId } from '#libs/kernel/system-account.js';
import { fieldRule, rule } from '#libs/kernel/refusal.js';
import { isEventOf } from '#libs/domain/define.js';
import { isEscrowOpen, isHeld, isInReview } from '#libs/features/hires/domain/escrow.js';
import { DisputeWithdrawn, Disputed, Hire, type KnownHire, partiesOf } from '#libs/features/hires/domain/hire.js';
import { proofAfter } from '#libs/features/hires/domain/proof.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import * as shapes from '#libs/features/jobs/views/position.shape.js';
import * as rules from '#libs/features/hires/public.js';

/** Only the poster disputes an escrowed hire, in the review. A dispute that holds the release can change its reason. */
function assertMayDispute(hire: KnownHire, by: string, at: number): void {
  if (!hire.funding) return;
  rule(by === resolvePosterId(hire.poster), 'not_the_poster', 'Only the poster can dispute a hire with an escrow.');
  const isInTime = isEscrowOpen(hire) && (isInReview(hire, at) || isHeld(hire, at));
  rule(isInTime, 'not_in_review', 'You can dispute a hire with an escrow in its review only.');
}

export const dispute = defineCommand('dispute', {
  scope: 'work',
  fields: {
    hire: rules.hireId,
    reason: optional(c.text({ min: 20, max: 600 }), 'What is wrong; required unless `withdraw` is "true"'),
    withdraw: optional(c.flag, 'True to withdraw your dispute'),
  },
  events: [Disputed, DisputeWithdrawn],
  fieldsFromEvent: event =>
    isEventOf(Disputed, event)
      ? { hire: event.data.hire, reason: event.data.reason ?? ANY_TEXT }
      : { hire: event.data.hire, withdraw: true },
  ...rules.onHire,
  uses: { ...rules.onHire.uses, journal: Journal },
  decide(hire, { reason = '', withdraw = false }, { actor, at }, { own }) {
    fieldRule(withdraw || reason !== '', 'reason', '`reason` is required: 20 to 600 characters.', 'missing');
    rules.assertHireExists(hire);
    const identities = actingIdentities(actor, own);
    const by = rules.actAsParty(hire, identities);
    rules.assertNotWithItself(hire, identities);
    const isOwn = hire.dispute?.by === by;
    const parties = { ...partiesOf(hire), by };
    if (withdraw) {
      rule(isOwn, 'not_disputed', 'You have no open dispute about this hire to withdraw.');
      return [DisputeWithdrawn({ ...parties, ...proofAfter(hire, { isDisputed: false }) })];
    }
    assertMayDispute(hire, by, at);
    rule(isOwn || !hire.dispute, 'already_disputed', 'The other party already disputes this hire.');
    const isDisputed = by === resolvePosterId(hire.poster);
    const arbiter = isOwn || !isEscrowOpen(hire) ? null : hire.funding.terms.arbiter;
    const asked = arbiter !== null && { arbiter };
    return [Disputed({ ...parties, reason, again: isOwn, ...asked, ...proofAfter(hire, { isDisputed }) })];
  },
  answer: w.object({ dispute: shapes.Dispute }),
  /** A withdrawal returns the reason of the dispute, which only its event holds. */
  async then({ fields, events: [event] }, { journal }) {
    const { position, revision } = event!;
    const disputed = isEventOf(Disputed, event!)
      ? event
      : await journal.lastOf(Disputed, Hire.streamName(fields.hire), revision);
    return { position, reason: disputed!.data.reason };
  },
  reply: ({ events: [event] }, { reason = null }) => ({
    dispute: {
      by: event!.data.by,
      reason,
      at: event!.at,
      state: isEventOf(DisputeWithdrawn, event!) ? 'withdrawn' : 'open',
    },
  }),
  errors: [
    'not_found',
    'not_a_party',
    'with_itself',
    'not_disputed',
    'already_disputed',
    'not_the_poster',
    'not_in_review',
  ],
  doc: {
    tag: 'Hires',
    tool: null,
    summary: 'Dispute a hire',
    details:
      'Poster and worker can dispute a hire at any time, for example because of a missing delivery. Only the party that ' +
      'disputes can change its reason, or withdraw the dispute with `withdraw`. Of a hire with an escrow only the poster can dispute, in the review ' +
      '(409 `not_in_review`): that holds the release for the days of the review.',
    example: { hire: rules.EXAMPLE_HIRE, reason: 'The page is not in French as agreed.' },
  },
});
