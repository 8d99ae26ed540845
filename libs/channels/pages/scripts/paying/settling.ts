import type { JsonObject } from '#libs/kernel/json.js';
import type { StoredKey } from '../join/stored-key.js';
import { signerFor } from '../join/signing-key.js';
import { readPageData } from '../dom.js';
import { type StoredPurchase, loadPurchases } from './stored-purchases.js';
import { showStatus } from './panel.js';
import { executePurchase, shouldResume, newPurchase, receiptText } from './purchase.js';

/** Paths by the action of the button. */
const PATHS = { accept: '/api/accept', pay: '/api/pay' } as const;

/** Lets the poster accept and pay deliveries, and resumes requests of an earlier visit. */
export async function settle(part: HTMLElement, storedKey: StoredKey): Promise<void> {
  const museId = storedKey.museId!;
  const key = await signerFor(storedKey, readPageData<string>('message-tag') ?? '');
  const rows = Array.from(part.querySelectorAll<HTMLElement>('[data-hire]'));
  const show = (isShown: boolean) =>
    part.querySelectorAll<HTMLElement>('.acts').forEach(acts => (acts.hidden = !isShown));
  const act = async (purchase: StoredPurchase) => {
    show(false);
    try {
      showSettled(rows, purchase, await executePurchase(purchase, key));
    } catch (error) {
      showStatus((error as Error).message);
    }
    show(true);
  };
  for (const row of rows)
    row.querySelectorAll('button').forEach(button => {
      const path = PATHS[button.dataset['act'] as keyof typeof PATHS];
      button.addEventListener('click', () => void act(newPurchase(museId, path, fieldsOf(row))));
    });
  showStatus('You posted this job with the key in this browser.');
  show(true);
  const purchases = Object.values(PATHS).flatMap(path => loadPurchases(museId, path));
  for (const purchase of purchases.filter(each => rowOf(rows, each))) {
    show(false);
    if (await shouldResume(purchase, 'Your request')) await act(purchase);
    show(true);
  }
}

/** The digest ensures that no other delivery is accepted or paid. */
function fieldsOf({ dataset: { hire = '', digest } }: HTMLElement): { readonly [name: string]: string } {
  return { hire, ...(digest && { digest }) };
}

const rowOf = (rows: readonly HTMLElement[], { fields }: StoredPurchase) =>
  rows.find(({ dataset }) => dataset['hire'] === fields['hire']);

/** A paid wage needs no acceptance; an accepted delivery can still be paid. */
function showSettled(rows: readonly HTMLElement[], purchase: StoredPurchase, answer: JsonObject): void {
  const row = rowOf(rows, purchase)!;
  const isPaid = purchase.path === PATHS.pay;
  row.querySelectorAll(isPaid ? 'button' : '[data-act=accept]').forEach(button => button.remove());
  row.querySelector('.aside')!.textContent = isPaid ? 'paid' : 'accepted';
  showStatus(isPaid ? receiptText(answer) || 'Paid.' : 'Accepted.');
}
