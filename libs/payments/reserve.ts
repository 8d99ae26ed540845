import type { Claims } from '#libs/claims/claims.js';
import type { Thing } from '#libs/claims/claim-streams.js';
import type { Claimed } from '#libs/streams/claim.js';
import type { EventOf } from '#libs/streams/define.js';
import { isOpen } from '#libs/streams/payment.js';
import type { Context } from '#libs/kernel/decide.js';
import { acceptedOf, type Ledger, type Record } from './ledger.js';

type ClaimEvent = EventOf<typeof Claimed>;

/** Somebody else's payment for the same thing is under way. */
export const PENDING = 'settlement_pending';
/** Another payment was made for this very request. */
export const REQUEST_PAID = 'request_paid';
/** What the request was decided on has changed while its payment was checked. */
export const OVERTAKEN = 'overtaken';
/** What was to be reserved can no longer be read, for the muse erased itself. */
export const FORGOTTEN = 'forgotten';

/** Why a thing cannot be had while a claim stands: a payment's reason of refusal, for things of endpoints a code too. */
export async function reasonOf(ledger: Ledger, { kind }: Thing, { data }: ClaimEvent): Promise<string> {
  if (kind === 'request') return REQUEST_PAID;
  if (kind === 'purchase') return PENDING;
  const open = data.payment !== null && isOpen((await ledger.load(data.payment)).state);
  return open ? PENDING : `${kind}_taken`;
}

/**
 * Reserves for a payment what must be unique: the things of the purchase, then those of the request. Null where all
 * were had, else the reason. May be repeated; what was reserved is let go by itself once the payment has ended.
 */
export async function reserve(
  claims: Claims,
  ledger: Ledger,
  record: Record,
  context: Context,
): Promise<string | null> {
  const { payment, owner, things } = acceptedOf(record).data;
  if (things === null) return FORGOTTEN;
  for (const thing of things) {
    const other = await claims.take(thing, { owner, finishes: { payment } }, context);
    if (other) return reasonOf(ledger, thing, other);
  }
  return null;
}
