import { Claimed } from '#libs/domain/claim.js';
import type { EventOf } from '#libs/domain/define.js';
import { ClaimLost } from '#libs/domain/muse.js';
import { hasEndedWithoutEffect, isOpenPayment } from '#libs/domain/payment.js';
import { UNFINISHED_CLAIM_MS } from '#libs/claims/claims.js';
import type { AuditState } from './audit-state.js';
import { ruleFor, failedConditions } from './rule.js';

type Claim = EventOf<typeof Claimed>;

/**
 * Whether another claim may replace one. A claim without a payment was declared lost in its owner's stream first,
 * unless that owner replaces it. One with a payment stands while money may move, and for ever where it is on a request.
 */
function canReplace({ id, data }: Claim, next: Claim, facts: AuditState): boolean {
  const { owner, payment, kind } = data;
  if (payment === null) return next.data.owner === owner || facts.owner(owner).claimsLost.has(id);
  if (next.data.owner === owner && next.data.payment === payment) return true;
  const state = facts.payment(payment);
  return !isOpenPayment(state) && (kind !== 'request' || hasEndedWithoutEffect(state));
}

/** The later claim has the time at which its request came, and that request may have waited. */
const isYoung = ({ at, data }: Claim, now: number, { unfinished }: AuditState) =>
  data.event !== null && unfinished.has(data.event) && now - at < UNFINISHED_CLAIM_MS / 2;

export const CLAIM_RULES = [
  ruleFor(Claimed, (event, facts) => {
    const before = facts.claims.get(event.stream) as Claim | undefined;
    const free = !before || canReplace(before, event, facts);
    const own = event.stream.startsWith(`claim-${event.data.kind}-`);
    return failedConditions(
      [own, `A claim of a ${event.data.kind} does not belong into this stream.`],
      [free, `The claim ${before?.id} of ${before?.data.owner} on the same ${event.data.kind} still stood.`],
    );
  }),
  ruleFor(ClaimLost, (event, facts) => {
    const claim = [...Object.keys(event.based_on)].map(stream => facts.claims.get(stream) as Claim | undefined);
    const lost = claim.find(known => known?.id === event.data.claim);
    if (!lost) return ['The claim that it names is not the last one of the stream that it is based on.'];
    const { owner, payment } = lost.data;
    return failedConditions(
      [owner === event.stream, `The claim that it names is one of ${owner}.`],
      [payment === null, 'The claim that it names is finished by a payment, and by nothing else.'],
      [!isYoung(lost, event.at, facts), 'The claim that it names was too young to be taken away.'],
    );
  }),
];
