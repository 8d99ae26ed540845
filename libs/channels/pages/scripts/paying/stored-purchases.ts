import type { PendingOperation } from '#libs/client/exchange.js';
import type { WireFields } from '#libs/client/wire.js';

/** A request that may be paid for, kept in this browser from before it is sent until it is answered. */
export interface StoredPurchase {
  /** Who asks. */
  readonly museId: string;
  readonly path: string;
  readonly fields: WireFields;
  readonly begun: PendingOperation;
}

const PREFIX = 'purchase ';

/** There is one of each path, and of wages one for each hire. */
const nameOf = ({ path, fields }: StoredPurchase) => `${PREFIX}${path} ${fields['hire'] ?? ''}`;

/** Throws where the browser keeps nothing: what cannot be kept is not to be paid. */
export function savePurchase(purchase: StoredPurchase): void {
  try {
    localStorage.setItem(nameOf(purchase), JSON.stringify(purchase));
  } catch (error) {
    throw new Error('This browser keeps nothing of this page, so nothing is paid from here.', { cause: error });
  }
}

export const removePurchase = (purchase: StoredPurchase): void => localStorage.removeItem(nameOf(purchase));

/** What this muse has begun here and was not answered. */
export const loadPurchases = (museId: string, path: string): readonly StoredPurchase[] =>
  Object.entries(localStorage as { readonly [name: string]: string })
    .filter(([name]) => name.startsWith(PREFIX))
    .map(([, text]) => JSON.parse(text) as StoredPurchase)
    .filter(purchase => purchase.museId === museId && purchase.path === path);
