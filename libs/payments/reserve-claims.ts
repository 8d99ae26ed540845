import type { Claims } from '#libs/claims/claims.js';
import type { PaidKind, PaidClaimSubject } from '#libs/claims/claim-streams.js';
import type { Claimed } from '#libs/domain/claim.js';
import type { EventOf } from '#libs/domain/define.js';
import { isOpenPayment } from '#libs/domain/payment.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import { acceptedEvent, type Ledger, type PaymentStream } from './ledger.js';

type ClaimEvent = EventOf<typeof Claimed>;
/** What a purchase binds to the muse that makes it. */
export type BoundKind = Exclude<PaidKind, 'purchase' | 'request'>;
export type TakenReason = typeof PENDING | typeof REQUEST_PAID | `${BoundKind}_taken`;

/** Somebody else's payment for the same thing is under way. */
export const PENDING = 'settlement_pending';
/** Another payment was made for this very request. */
export const REQUEST_PAID = 'request_paid';
/** What the request was decided on has changed while its payment was checked. */
export const OVERTAKEN = 'overtaken';
/** The things to be claimed can no longer be read, because the muse has erased itself. */
export const FORGOTTEN = 'forgotten';

/** Why a thing cannot be taken while a claim stands: the reason with which the payment is refused. */
export async function takenReason(
  ledger: Ledger,
  { kind }: PaidClaimSubject,
  { data }: ClaimEvent,
): Promise<TakenReason> {
  if (kind === 'request') return REQUEST_PAID;
  if (kind === 'purchase') return PENDING;
  const open = data.payment !== null && isOpenPayment((await ledger.load(data.payment)).state);
  return open ? PENDING : `${kind}_taken`;
}

/**
 * Takes the claims of a payment: on the things of the purchase, then on those of the request. Answers null where all
 * are taken, else the reason why one is not. May be repeated. Claims of a payment that has ended stand no longer.
 */
export async function reserveClaims(
  claims: Claims,
  ledger: Ledger,
  payment: PaymentStream,
  context: CommandContext,
): Promise<string | null> {
  const accepted = acceptedEvent(payment);
  const { payment: id, owner, things } = accepted.data;
  if (things === null) return FORGOTTEN;
  for (const thing of things) {
    const other = await claims.acquire(thing, { owner, finishes: { payment: id } }, context, accepted.position);
    if (other) return takenReason(ledger, thing, other);
  }
  return null;
}
