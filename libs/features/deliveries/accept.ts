import { c, defineCommand, optional, w } from '#libs/endpoints/declare.js';
import { Accepted, EscrowDecided, hasDelivery } from '#libs/features/hires/domain/hire.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import { Acceptance } from '#libs/features/jobs/views/position.shape.js';
import { acceptDelivery } from './acceptance.js';
import * as rules from '#libs/features/hires/public.js';

export const accept = defineCommand('accept', {
  scope: 'work',
  fields: {
    hire: rules.hireId,
    note: optional(c.text({ max: 600 }), 'Your comment on the delivery'),
    positive: optional(c.flag, 'Whether you are satisfied; defaults to your earlier verdict, else true'),
    digest: rules.deliveryDigest,
  },
  events: [Accepted, EscrowDecided],
  ...rules.onHire,
  decide: (hire, fields, { actor }, { own }) => acceptDelivery(hire, fields, actingIdentities(actor, own)),
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
      'Only the poster can accept. Accepting again replaces the note, and the verdict if you send one. `positive: "false"` counts in the reviews of the worker. ' +
      'Accepting releases the wage of an escrow to the worker; until then `positive: "false"` answers 400.',
    example: { hire: rules.EXAMPLE_HIRE, note: 'Thank you.', positive: 'true' },
  },
});
