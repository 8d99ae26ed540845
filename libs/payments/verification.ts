import type { PaidClaimSubject } from '#libs/claims/claim-streams.js';
import { isPresentMuse, type KnownMuse, Muse, Verified } from '#libs/domain/muse.js';
import type { PaymentSettings } from './payment.settings.js';
import { PRICES } from './prices.js';
import type { PaymentAcceptedEvent, Price, SettledPaymentState } from './purchase.js';
import { RAILS } from './rails.js';

/** `verify` and `identity` claim the same purchase, so that a muse binds one wallet at a time. */
export const verificationSubject = (museId: string): PaidClaimSubject => ({
  kind: 'purchase',
  value: `verify/${museId}`,
  scope: Muse.streamName(museId),
});
export const walletSubject = (wallet: string): PaidClaimSubject => ({ kind: 'wallet', value: wallet.toLowerCase() });

export const isWalletBound = (muse: KnownMuse, wallet: string) => muse.wallet?.toLowerCase() === wallet.toLowerCase();

/** A stolen key must not bind a wallet by a payment that is pending when the key is replaced. */
function isByFormerKey(muse: KnownMuse, { authorization, based_on }: PaymentAcceptedEvent): boolean {
  if (authorization.mode === 'signature') return authorization.public_key !== muse.public_key;
  return (based_on[Muse.streamName(muse.muse_id)] ?? Infinity) < muse.keyReplacedAt;
}

export function verificationPrice(path: string, description: string, { rails, serviceWallet }: PaymentSettings): Price {
  return { path, description, amount: PRICES.verify.units, payTo: serviceWallet, rails };
}

export const isBindingObsolete = (muse: KnownMuse, accepted: PaymentAcceptedEvent): boolean =>
  muse.linkedTo !== null || isByFormerKey(muse, accepted);

/** Why the wallet of a paid verification is not bound. */
export const UNBOUND = {
  voidReasons: ['forgotten', 'key_changed', 'linked'],
  voidReason(_fields: unknown, muse: Muse): string {
    if (!isPresentMuse(muse)) return 'forgotten';
    return muse.linkedTo === null ? 'key_changed' : 'linked';
  },
} as const;

export function verifiedFact(muse: KnownMuse, { accepted, tx, block }: SettledPaymentState, item: number) {
  const { rail, payment, payer } = accepted.data;
  return Verified({
    muse_id: muse.muse_id,
    item,
    wallet: payer,
    rebind: muse.wallet !== null,
    rail,
    network: RAILS.find(({ name }) => name === rail)!.short,
    tx,
    block,
    payment,
    referred_by: muse.recruiter,
  });
}
