import type { PendingOperation } from '#libs/client/exchange.js';
import type { WireFields } from '#libs/client/wire.js';

/** A request that may cost something, stored from before it is sent until it is answered. */
export interface StoredPurchase {
  readonly museId: string;
  readonly path: string;
  readonly fields: WireFields;
  /** Sentence after a success. */
  readonly done: string;
  /** Page after a success. `:name` is replaced by a member of the answer. */
  readonly next: string;
  readonly begun: PendingOperation;
}

const PREFIX = 'purchase ';

export const TAKEN = 'Another tab has continued or removed this request.';

/** One for each purchase, so that no tab writes over a purchase of another one. */
const nameOf = ({ begun }: StoredPurchase) => PREFIX + begun.idempotencyKey;

/** Whether no other tab has changed or removed it. */
export const isUnchanged = (purchase: StoredPurchase): boolean =>
  localStorage.getItem(nameOf(purchase)) === JSON.stringify(purchase);

/** Throws if the browser cannot store it: such a request must not be paid. */
export function savePurchase(purchase: StoredPurchase): void {
  try {
    localStorage.setItem(nameOf(purchase), JSON.stringify(purchase));
  } catch (error) {
    throw new Error('This browser cannot store the payment, so you cannot pay from this page.', { cause: error });
  }
}

/** Stores a payment before it is sent. Throws if another tab has paid or removed the purchase. */
export function updatePurchase(purchase: StoredPurchase, begun: PendingOperation): StoredPurchase {
  if (!isUnchanged(purchase)) throw new Error(TAKEN);
  const updated = { ...purchase, begun };
  savePurchase(updated);
  return updated;
}

/** Leaves a purchase that another tab has changed. */
export function removePurchase(purchase: StoredPurchase): void {
  if (isUnchanged(purchase)) localStorage.removeItem(nameOf(purchase));
}

/** Unanswered requests of this muse, from any page. Paid ones come first: they need no answer of the reader. */
export const loadPurchases = (museId: string): readonly StoredPurchase[] =>
  Object.entries(localStorage as { readonly [name: string]: string })
    .filter(([name]) => name.startsWith(PREFIX))
    .map(([, text]) => JSON.parse(text) as StoredPurchase)
    .filter(purchase => purchase.museId === museId)
    .sort((a, b) => Number(b.begun.payment !== null) - Number(a.begun.payment !== null));

/** Removes the requests of this muse. Returns a text about each. */
export const forgetPurchases = (museId: string): readonly string[] =>
  loadPurchases(museId).map(purchase => {
    localStorage.removeItem(nameOf(purchase));
    const unpaid = purchase.begun.payment === null ? ' and is not paid' : '';
    return `${titleOf(purchase)} has no answer${unpaid}. ${openText(purchase.begun)}`;
  });

/** Title of the job or name of the operation. */
export const titleOf = ({ path, fields: { title } }: StoredPurchase): string =>
  title === undefined ? `Your request “${path.slice(path.lastIndexOf('/') + 1)}”` : `“${title}”`;

/** Advice about a request without an answer. A signed payment can be used until it expires. */
export function openText({ payment }: PendingOperation): string {
  if (payment === null) return 'It may have been executed: check before you repeat it.';
  const until = new Date(payment.expiredAt).toLocaleTimeString();
  return payment.expiredAt > Date.now()
    ? `The signed payment can still be used until ${until}: do not pay again before then.`
    : 'You have signed a payment for it: check whether it was used before you pay again.';
}

/**
 * Executes a purchase unless another tab is executing it: then returns null. Plain http has no locks, except on
 * localhost, and there the idempotency key and `updatePurchase` still prevent a second payment.
 */
export async function executeAlone<T>(purchase: StoredPurchase, execute: () => Promise<T>): Promise<T | null> {
  const { locks } = navigator as { readonly locks?: LockManager };
  return locks
    ? await locks.request(nameOf(purchase), { ifAvailable: true }, async lock => (lock ? await execute() : null))
    : await execute();
}
