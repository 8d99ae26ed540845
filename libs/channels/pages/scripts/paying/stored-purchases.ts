import type { PendingOperation } from '#libs/client/exchange.js';
import type { WireFields } from '#libs/client/wire.js';

/** A request that may cost something, stored from before it is sent until it is answered. */
export interface StoredPurchase {
  readonly museId: string;
  /** Path of the page that sent it and resumes it. */
  readonly page: string;
  readonly path: string;
  readonly fields: WireFields;
  /** Sentence after a success. */
  readonly done: string;
  /** Page after a success. `:name` is replaced by a member of the answer. */
  readonly next: string;
  readonly begun: PendingOperation;
}

const PREFIX = 'purchase ';

/** One per path, and for wages one per hire. */
const nameOf = ({ path, fields }: StoredPurchase) => `${PREFIX}${path} ${fields['hire'] ?? ''}`;

/** Throws if the browser cannot store it: such a request must not be paid. */
export function savePurchase(purchase: StoredPurchase): void {
  try {
    localStorage.setItem(nameOf(purchase), JSON.stringify(purchase));
  } catch (error) {
    throw new Error('This browser cannot store the payment, so you cannot pay from this page.', { cause: error });
  }
}

export const removePurchase = (purchase: StoredPurchase): void => localStorage.removeItem(nameOf(purchase));

/** Unanswered requests of this muse from one page. */
export const loadPurchases = (museId: string, page: string): readonly StoredPurchase[] =>
  Object.entries(localStorage as { readonly [name: string]: string })
    .filter(([name]) => name.startsWith(PREFIX))
    .map(([, text]) => JSON.parse(text) as StoredPurchase)
    .filter(purchase => purchase.museId === museId && purchase.page === page);
