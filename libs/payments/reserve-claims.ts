import type { Claims } from '#libs/claims/claims.js';
import type { PaidKind, PaidClaimSubject } from '#libs/claims/claim-streams.js';
import type { Claimed } from '#libs/domain/claim.js';
import type { EventOf } from '#libs/domain/define.js';
import { isOpenPayment } from '#libs/domain/payment.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import { acceptedEvent, type Ledger, type PaymentStream } from './ledger.js';

type ClaimEvent = EventOf<typeof Claimed>;
export type BoundKind = Exclude<PaidKind, 'purchase' | 'request'>;
export type TakenReason = typeof PENDING | typeof REQUEST_PAID | `${BoundKind}_taken`;

export const PENDING = 'settlement_pending';
export const REQUEST_PAID = 'request_paid';
export const OVERTAKEN = 'overtaken';
export const FORGOTTEN = 'forgotten';

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
 * Takes the claims of a payment: first those of the purchase, then those of the request. Returns null, or the reason
 * why one is taken. Idempotent.
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
