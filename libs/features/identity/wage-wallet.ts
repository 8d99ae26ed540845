import type { Journal } from '#libs/event-log/journal.js';
import type { Position } from '#libs/kernel/event.js';
import { isKnownMuse, isPresentMuse, Muse, payoutWalletOf } from '#libs/domain/muse.js';

/** The later identity that a muse is linked to. */
export const laterOf = (muse: Muse) =>
  isKnownMuse(muse) && muse.linkedTo !== null ? Muse.source(muse.linkedTo) : undefined;

/**
 * Returns the payout address of a muse and its verified wallet. For a linked muse, the later identity's wallets take
 * precedence, because only that identity can change them.
 */
export function payeeFrom(worker: Muse, later: Muse | undefined) {
  const payee = later ?? worker;
  return {
    payTo: payoutWalletOf(payee) ?? payoutWalletOf(worker),
    verified: isKnownMuse(payee) ? payee.wallet : null,
    /** Whether no identity is left that could take a wage. */
    isForgotten: !isPresentMuse(payee) && !isPresentMuse(worker),
  };
}

export async function payeeOf(journal: Journal, muse: string, asOf?: Position) {
  const { state: worker } = await journal.load(Muse.source(muse), asOf);
  const later = laterOf(worker);
  return payeeFrom(worker, later && (await journal.load(later)).state);
}

export function wageWallet(muse: Muse) {
  const wage_wallet = payoutWalletOf(muse);
  const named = isKnownMuse(muse) ? muse.payout_address : null;
  const isUnused = named !== null && named.toLowerCase() !== wage_wallet?.toLowerCase();
  return { wage_wallet, ...(isUnused && { hint: HINT }) };
}

const HINT =
  'Wages are paid to your verified wallet, not to your payout address. To use another wallet, send `verify` with ' +
  '`rebind` and that wallet.';
