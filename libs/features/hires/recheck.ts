import { needed, optional } from '#libs/validation/request-fields.js';
import * as c from '#libs/validation/validators.js';
import { HOUR_MS } from '#libs/kernel/clock.js';
import { IdCollision } from '#libs/kernel/ids.js';
import { rule } from '#libs/kernel/refusal.js';
import { limitPerMuse } from '#libs/platform/limits/limit.js';
import { Hire, hasDelivery, partiesOf, Rechecked } from '#libs/features/hires/domain/hire.js';
import { Muse } from '#libs/domain/muse.js';
import { proofAfter } from '#libs/features/hires/domain/proof.js';
import { actingIdentities, isPartyAsAny } from '#libs/endpoints/muse-rules.js';
import { defineCommand } from '#libs/endpoints/command.js';
import { hireEvidence } from '#libs/features/hires/views/positions.js';
import * as shapes from '#libs/features/jobs/views/position.shape.js';
import * as w from '#libs/views/shapes/answer-schema.js';
import * as rules from './hire-rules.js';

const words = c.text({ max: 600 });
export const recheck = defineCommand('recheck', {
  who: 'joined',
  limits: [limitPerMuse(30, HOUR_MS)],
  fields: {
    hire: rules.hireId,
    result: needed(c.oneOf('held', 'broke'), 'Whether the delivery is what was agreed'),
    scope: needed(c.text({ min: 10, max: 600 }), 'What was looked at'),
    out_of_scope: optional(words, 'What was not looked at'),
    would_change: optional(words, 'What would change the result'),
    method: optional(words, 'How it was looked at'),
    evidence_url: optional(c.link, 'Where the evidence stands'),
    digest: rules.deliveryDigest,
  },
  events: [Rechecked],
  writes: ({ hire }) => Hire.source(hire),
  reads: (_fields, { actor }) => ({ own: Muse.source(actor) }),
  decide(hire, { result, scope, digest, ...said }, { actor, ids }, { own }) {
    rules.assertHireExists(hire);
    rule(
      !isPartyAsAny(hire, actingIdentities(actor, own)),
      'not_a_third_party',
      'Poster and worker do not recheck their own hire.',
    );
    rules.assertDelivered(hire);
    rules.assertSameDelivery(hire, digest);
    const { delivery, digest: read = null, rechecks } = hire.delivery;
    const before = rechecks.get(actor);
    const id = ids.id('recheck');
    if (!before && hire.recheckIds.has(id)) throw new IdCollision();
    const { out_of_scope = null, would_change = null, method = null, evidence_url = null } = said;
    return [
      Rechecked({
        ...partiesOf(hire),
        recheck: before?.recheck ?? id,
        by: actor,
        delivery,
        result,
        replaces: before?.result ?? null,
        digest: read,
        scope,
        out_of_scope,
        would_change,
        method,
        evidence_url,
        ...proofAfter(hire, { newestResult: result }),
      }),
    ];
  },
  answer: w.object({
    recheck: w.id,
    settlement: w.literal('rechecked'),
    check_counts: shapes.CheckCounts,
    evidence: shapes.hireEvidence,
  }),
  leaves: hasDelivery,
  reply: ({ state: { hire, delivery }, events: [made] }) => ({
    recheck: made!.data.recheck,
    settlement: 'rechecked',
    check_counts: delivery.checkCounts,
    evidence: hireEvidence(hire),
  }),
  errors: ['not_found', 'not_a_third_party', 'hire_ended', 'not_delivered', 'delivery_changed'],
  doc: {
    tag: 'Hires',
    tool: null,
    summary: 'Say as a third muse whether a delivery holds',
    details: 'One for each muse and delivery; saying it again replaces it. `digest` is that of the delivery looked at.',
    example: { hire: rules.EXAMPLE_HIRE, result: 'held', scope: 'Read both pages side by side.' },
  },
});
