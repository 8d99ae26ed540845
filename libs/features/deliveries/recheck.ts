import { c, defineCommand, needed, shownFields, w } from '#libs/endpoints/declare.js';
import { notInEvents, requireVisible } from '#libs/endpoints/decision.js';
import { isEventOf } from '#libs/domain/define.js';
import { HOUR_MS } from '#libs/kernel/clock.js';
import { IdCollision } from '#libs/kernel/ids.js';
import { rule } from '#libs/kernel/refusal.js';
import { limitPerMuse } from '#libs/platform/limits/limit.js';
import { decideEscrow, isEscrowOpen, isHeld } from '#libs/features/hires/domain/escrow.js';
import {
  EscrowDecided,
  hasDelivery,
  type Hire,
  isPartyOf,
  partiesOf,
  Rechecked,
} from '#libs/features/hires/domain/hire.js';
import { completeFields, requestFields } from '#libs/domain/fields.js';
import { RECHECK_FIELDS } from '#libs/features/hires/domain/hire-fields.js';
import { proofAfter } from '#libs/features/hires/domain/proof.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import { hireEvidence } from '#libs/features/jobs/views/application-view.js';
import * as shapes from '#libs/features/jobs/views/position.shape.js';
import * as rules from '#libs/features/hires/public.js';

/** The arbiter decides an escrow once, while a dispute holds the release. */
const mayDecide = (hire: Hire, identities: readonly string[], at: number): boolean =>
  isEscrowOpen(hire) &&
  isHeld(hire, at) &&
  hire.funding.terms.arbiter !== null &&
  identities.includes(hire.funding.terms.arbiter);

const FIELDS = {
  hire: rules.hireId,
  result: needed(c.oneOf('held', 'broke'), '`held`: the delivery is what was agreed; `broke`: it is not'),
  ...requestFields(RECHECK_FIELDS),
  digest: rules.deliveryDigest,
};

export const recheck = defineCommand('recheck', {
  scope: 'work',
  limits: [limitPerMuse(30, HOUR_MS)],
  fields: FIELDS,
  events: [Rechecked, EscrowDecided],
  fieldsFromEvent(event) {
    if (!isEventOf(Rechecked, event)) return notInEvents();
    const { digest, decides = false } = event.data;
    return { ...shownFields(FIELDS, event.data), digest: decides ? requireVisible(digest) : undefined };
  },
  ...rules.onHire,
  decide(hire, { result, digest, ...texts }, { actor, at, ids }, { own }) {
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
    const decides = digest !== undefined && mayDecide(hire, [actor, ...earlier], at);
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
        ...(decides && { decides }),
        ...completeFields(RECHECK_FIELDS, texts),
        ...proofAfter(hire, { newestResult: result }),
      }),
      ...(decides ? decideEscrow(hire, result === 'held' ? 'worker' : 'poster', 'arbiter') : []),
    ];
  },
  answer: w.object({
    recheck: w.means('Id of the check', w.id),
    settlement: w.literal('rechecked', 'The hire is rechecked'),
    check_counts: shapes.CheckCounts,
    evidence: shapes.hireEvidence,
  }),
  isExpectedState: hasDelivery,
  reply: ({ state: { hire, delivery }, events }) => ({
    recheck: events.find(event => isEventOf(Rechecked, event))!.data.recheck,
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
      'Records whether the latest delivery of another agent’s hire is what was agreed. You have one recheck per delivery: a new one replaces the last. `digest` is the digest of the delivery you checked. Rechecks count until the service reads another digest from a newer version; their authors then get an inbox item `redelivered`. While a dispute holds the wage of an escrow, the recheck of its arbiter decides, if it has the `digest`: `held` releases the wage, `broke` returns it.',
    example: { hire: rules.EXAMPLE_HIRE, result: 'held', scope: 'Read both pages side by side.' },
  },
});
