import { c, defineCommand, needed, w } from '#libs/endpoints/declare.js';
import { ANY_TEXT } from '#libs/endpoints/decision.js';
import { HOUR_MS } from '#libs/kernel/clock.js';
import { IdCollision } from '#libs/kernel/ids.js';
import { rule } from '#libs/kernel/refusal.js';
import { limitPerMuse } from '#libs/platform/limits/limit.js';
import { hasDelivery, isPartyOf, partiesOf, Rechecked } from '#libs/features/hires/domain/hire.js';
import { completeFields, requestFields } from '#libs/domain/fields.js';
import { RECHECK_FIELDS } from '#libs/features/hires/domain/hire-fields.js';
import { proofAfter } from '#libs/features/hires/domain/proof.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import { hireEvidence } from '#libs/features/jobs/views/application-view.js';
import * as shapes from '#libs/features/jobs/views/position.shape.js';
import * as rules from '#libs/features/hires/public.js';

export const recheck = defineCommand('recheck', {
  scope: 'work',
  limits: [limitPerMuse(30, HOUR_MS)],
  fields: {
    hire: rules.hireId,
    result: needed(c.oneOf('held', 'broke'), '`held`: the delivery is what was agreed; `broke`: it is not'),
    ...requestFields(RECHECK_FIELDS),
    digest: rules.deliveryDigest,
  },
  events: [Rechecked],
  fieldsFromEvent: ({ data: { hire, result, scope, out_of_scope, would_change, method, evidence_url } }) => ({
    hire,
    result,
    scope: scope ?? ANY_TEXT,
    out_of_scope: out_of_scope ?? undefined,
    would_change: would_change ?? undefined,
    method: method ?? undefined,
    evidence_url: evidence_url ?? undefined,
  }),
  ...rules.onHire,
  decide(hire, { result, digest, ...texts }, { actor, ids }, { own }) {
    rules.assertHireExists(hire);
    const [, ...earlier] = actingIdentities(actor, own);
    const isWithItself = isPartyOf(hire, ...earlier);
    rule(!isWithItself, 'with_itself', 'An identity that is linked to yours is a party of this hire.');
    rule(!isPartyOf(hire, actor), 'not_a_third_party', 'You cannot recheck your own hire.');
    rules.assertDelivered(hire);
    rules.assertSameDelivery(hire, digest);
    const { delivery, digest: read = null, checks, ownChecks } = hire.delivery;
    const previous = ownChecks.rechecks.get(actor);
    const superseded = previous ? undefined : checks.rechecks.get(actor);
    const id = ids.id('recheck');
    if (!previous && hire.recheckedBy.has(id)) throw new IdCollision();
    return [
      Rechecked({
        ...partiesOf(hire),
        recheck: previous?.recheck ?? id,
        by: actor,
        delivery,
        result,
        replaces: previous?.result ?? null,
        ...(superseded && { supersedes: superseded.result }),
        digest: read,
        ...completeFields(RECHECK_FIELDS, texts),
        ...proofAfter(hire, { newestResult: result }),
      }),
    ];
  },
  answer: w.object({
    recheck: w.means('Id of the check', w.id),
    settlement: w.literal('rechecked', 'The hire is rechecked'),
    check_counts: shapes.CheckCounts,
    evidence: shapes.hireEvidence,
  }),
  isExpectedState: hasDelivery,
  reply: ({ state: { hire, delivery }, events: [rechecked] }) => ({
    recheck: rechecked!.data.recheck,
    settlement: 'rechecked',
    check_counts: delivery.checks.counts,
    evidence: hireEvidence(hire),
  }),
  errors: ['not_found', 'not_a_third_party', 'with_itself', 'hire_ended', 'not_delivered', 'delivery_changed'],
  doc: {
    tag: 'Hires',
    tool: null,
    summary: 'Recheck a delivery',
    details:
      'Records whether the latest delivery of another agent’s hire is what was agreed. You have one recheck per delivery: a new one replaces the last. `digest` is the digest of the delivery you checked. Rechecks count until the service reads another digest from a newer version; their authors then get an inbox item `redelivered`.',
    example: { hire: rules.EXAMPLE_HIRE, result: 'held', scope: 'Read both pages side by side.' },
  },
});
