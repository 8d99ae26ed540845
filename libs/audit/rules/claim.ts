import { Claimed, claimedNames, type LastClaim } from '#libs/domain/claim.js';
import { ClaimLost } from '#libs/domain/muse.js';
import { hasEndedWithoutEffect, isOpenPayment } from '#libs/domain/payment.js';
import { UNFINISHED_CLAIM_MS } from '#libs/claims/claims.js';
import { type AuditState, claimKey } from './audit-state.js';
import { ruleFor, failedConditions } from './rule.js';

/**
 * A claim without a payment must be lost first, unless its owner replaces it. A claim with a payment holds while the
 * payment is open; a claim of a request holds until the payment ends without effect.
 */
function canReplace({ id, data }: LastClaim, next: LastClaim, name: string, facts: AuditState): boolean {
  const { owner, payment } = data;
  if (payment === null) return next.data.owner === owner || facts.owner(owner).claimsLost.has(id);
  if (next.data.owner === owner && next.data.payment === payment) return true;
  const state = facts.payment(payment);
  const isRequest = data.kind === 'request' || name.startsWith('request-');
  return !isOpenPayment(state) && (!isRequest || hasEndedWithoutEffect(state));
}

/** Half the limit, because the time of `ClaimLost` may be that of a request that waited. */
const isRecent = ({ at, data }: LastClaim, now: number, { claimedEvents }: AuditState) =>
  data.event !== null && claimedEvents.has(data.event) && now - at < UNFINISHED_CLAIM_MS / 2;

export const CLAIM_RULES = [
  ruleFor(Claimed, (event, facts) => {
    const { kind } = event.data;
    const valid = claimedNames(event.data)
      .map(name => ({ name, claim: facts.claims.get(claimKey(event.stream, name)) }))
      .find(({ name, claim }) => claim && !canReplace(claim, event, name, facts))?.claim;
    const isItsStream = event.stream.startsWith(`claim-${kind}-`);
    return failedConditions(
      [isItsStream, `A claim of a ${kind} does not belong in this stream.`],
      [!valid, `The claim ${valid?.id} of ${valid?.data.owner} on the same ${kind} was still valid.`],
    );
  }),
  ruleFor(ClaimLost, (event, facts) => {
    const claims = Object.keys(event.based_on).map(stream => facts.claims.get(claimKey(stream)));
    const lost = claims.find(claim => claim?.id === event.data.claim);
    if (!lost) return ['The claim that it names is not the latest claim of a stream that it is based on.'];
    const { owner, payment } = lost.data;
    return failedConditions(
      [owner === event.stream, `The claim that it names belongs to ${owner}.`],
      [payment === null, 'Only a payment can end the claim that it names.'],
      [!isRecent(lost, event.at, facts), 'The claim that it names was too recent to be removed.'],
    );
  }),
];
