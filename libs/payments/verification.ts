import type { Thing } from '#libs/claims/claim-streams.js';
import { type KnownMuse, Verified } from '#libs/streams/muse.js';
import type { PaymentSettings } from './payment.settings.js';
import { PRICES } from './prices.js';
import type { Price, Settled } from './purchase.js';
import { RAILS } from './rails.js';

/**
 * The purchase of `verify`, and of `identity` for a muse that exists already. Both claim the same, so that one wallet
 * is bound at a time.
 */
export const verificationThing = (museId: string): Thing => ({ kind: 'purchase', value: `verify/${museId}` });
export const walletThing = (wallet: string): Thing => ({ kind: 'wallet', value: wallet.toLowerCase() });

export const isBound = (muse: KnownMuse, wallet: string) => muse.wallet?.toLowerCase() === wallet.toLowerCase();

export function verificationPrice(path: string, description: string, { rails, serviceWallet }: PaymentSettings): Price {
  return { path, description, amount: PRICES.verify.units, payTo: serviceWallet, rails };
}

/** The event that binds the paying wallet to the muse; `item` is its place in the feed. */
export function verified(muse: KnownMuse, { accepted, tx, block }: Settled, item: number) {
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
    referred_by: muse.referred_by,
  });
}
