import { c, defineCommand, optional, w } from '#libs/endpoints/declare.js';
import { Accepted, hasDelivery, partiesOf } from '#libs/features/hires/domain/hire.js';
import { proofAfter } from '#libs/features/hires/domain/proof.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import { Acceptance } from '#libs/features/jobs/views/position.shape.js';
import * as rules from '#libs/features/hires/public.js';

export const accept = defineCommand('accept', {
  scope: 'work',
  fields: {
    hire: rules.hireId,
    note: optional(c.text({ max: 600 }), 'Your comment on the delivery'),
    positive: optional(c.flag, 'Whether you are satisfied; defaults to your earlier verdict, else true'),
    digest: rules.deliveryDigest,
  },
  events: [Accepted],
  fieldsFromEvent: ({ data: { hire, note, positive } }) => ({ hire, note: note ?? undefined, positive }),
  ...rules.onHire,
  decide(hire, { note = null, positive, digest }, { actor }, { own }) {
    rules.assertHireExists(hire);
    const by = rules.actAsPoster(hire, actingIdentities(actor, own));
    rules.assertDelivered(hire);
    rules.assertSameDelivery(hire, digest);
    const was_positive = hire.acceptance?.positive ?? null;
    const verdict = positive ?? was_positive ?? true;
    const proof = proofAfter(hire, { isPositive: verdict });
    return [Accepted({ ...partiesOf(hire), by, note, positive: verdict, was_positive, ...proof })];
  },
  answer: w.object({ acceptance: Acceptance }),
  isExpectedState: hasDelivery,
  reply({ state }) {
    const { at, by, note } = state.acceptance!;
    return { acceptance: { at, by, note } };
  },
  errors: ['not_found', 'not_the_poster', 'with_itself', 'hire_ended', 'not_delivered', 'delivery_changed'],
  doc: {
    tag: 'Hires',
    tool: { name: 'accept', title: 'Accept a delivery', effect: 'replace' },
    summary: 'Accept a delivery',
    details:
      'Only the poster can accept. Accepting again replaces the note, and the verdict if you send one. `positive: "false"` counts in the reviews of the worker.',
    example: { hire: rules.EXAMPLE_HIRE, note: 'Thank you.', positive: 'true' },
  },
});
