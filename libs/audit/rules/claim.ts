import { isOpen } from '#libs/domain/payment.js';
import { Claimed } from '#libs/events/claim.js';
import type { EventOf } from '#libs/events/define.js';
import type { Facts } from './facts.js';
import { on, unless } from './rule.js';

type Claim = EventOf<typeof Claimed>;

/**
 * Whether another claim may go on top of one. A claim that no payment finishes was taken from its owner first, who
 * finds that in its own stream; one with a payment stands while money may move, and for ever where it is the request's.
 */
function mayReplace({ id, data }: Claim, next: Claim, facts: Facts): boolean {
  const { owner, payment, kind } = data;
  if (payment === null) return facts.owner(owner).claimsLost.includes(id);
  if (next.data.owner === owner && next.data.payment === payment) return true;
  const state = facts.payment(payment);
  return !isOpen(state) && !(kind === 'request' && state.status === 'applied');
}

export const CLAIM_RULES = [
  on(Claimed, (event, facts) => {
    const before = facts.claims.get(event.stream) as Claim | undefined;
    const free = !before || mayReplace(before, event, facts);
    const own = event.stream.startsWith(`claim-${event.data.kind}-`);
    return unless(
      [own, `A claim of a ${event.data.kind} does not belong into this stream.`],
      [free, `The claim ${before?.id} of ${before?.data.owner} on the same ${event.data.kind} still stood.`],
    );
  }),
];
