import {
  Forgotten,
  Linked,
  ProfileUpdated,
  Registered,
  Reinstated,
  Suspended,
  VerificationEnded,
  Verified,
} from '#libs/domain/muse.js';
import { changePayPauses, NO_WALLET, type PayPauses } from '#libs/domain/pay-pauses.js';
import type { Event } from '#libs/kernel/event.js';
import * as d from '#libs/views/document-schema.js';
import { by, defineProjection, on } from '#libs/views/projection.js';

const pause = d.object({ from: d.time, to: d.orNull(d.time) });

/** Times in which the wages to a muse, or those that it owes, need not be paid. No document: it has no wallet yet. */
export const PayPausesDocument = d.object({
  has_wallet: d.flag,
  has_payout_address: d.flag,
  unpayable: d.list(pause),
  suspended: d.list(pause),
  linked: d.orNull(d.object({ to: d.museId, at: d.time })),
});
export type PayPausesDocument = d.DocumentOf<typeof PayPausesDocument>;

const byMuse = by('muse_id');

function changed(before: PayPausesDocument | undefined, event: Event): PayPausesDocument | null {
  const after = changePayPauses(before ?? NO_WALLET, event);
  return after === NO_WALLET ? (before ?? null) : copyOf(after);
}

const copyOf = ({ unpayable, suspended, ...others }: PayPauses): PayPausesDocument => ({
  ...others,
  unpayable: [...unpayable],
  suspended: [...suspended],
});

export const PayPausesOfMuses = defineProjection('pay_pauses', PayPausesDocument, {
  shape: 'a638a1ff',
  steps: [Registered, ProfileUpdated, Verified, VerificationEnded, Suspended, Reinstated, Linked, Forgotten].map(type =>
    on(type, byMuse, changed),
  ),
});
