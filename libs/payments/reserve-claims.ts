import type { Claims } from '#libs/claims/claims.js';
import type { ClaimKind, PaidKind } from '#libs/claims/claim-streams.js';
import type { LastClaim } from '#libs/domain/claim.js';
import { isOpenPayment } from '#libs/domain/payment.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import { acceptedEvent, type Ledger, type PaymentStream } from './ledger.js';

export type BoundKind = Exclude<PaidKind, 'purchase' | 'request'>;
type TakenReason = typeof PENDING | typeof REQUEST_PAID | typeof OVERTAKEN | `${BoundKind}_taken`;

export const PENDING = 'settlement_pending';
export const REQUEST_PAID = 'request_paid';
export const OVERTAKEN = 'overtaken';
export const FORGOTTEN = 'forgotten';

/** A thing that the same owner holds was bought by its other request, which overtook this one. */
export async function takenReason(
  ledger: Ledger,
  kind: ClaimKind,
  { data: { payment, ...claim } }: Pick<LastClaim, 'data'>,
  owner: string,
): Promise<TakenReason> {
  if (kind === 'request') return REQUEST_PAID;
  if (kind === 'purchase') return PENDING;
  if (payment !== null && isOpenPayment((await ledger.load(payment)).state)) return PENDING;
  return claim.owner === owner ? OVERTAKEN : `${kind as BoundKind}_taken`;
}

/**
 * Takes the claims of a payment: first those that only its muse can make, in one append, then each other one. Returns
 * null, or the reason why one is taken. The fixed order lets one of two payments with common subjects get all of them.
 * Idempotent.
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
  const scoped = things.filter(({ scope }) => scope !== undefined);
  const shared = things.filter(({ scope }) => scope === undefined).map(thing => [thing]);
  for (const subjects of scoped.length > 0 ? [scoped, ...shared] : shared) {
    const conflict = await claims.acquireAll(
      subjects,
      { owner, finishes: { payment: id } },
      context,
      accepted.position,
    );
    if (conflict) return takenReason(ledger, conflict.subject.kind, conflict.claim, owner);
  }
  return null;
}
