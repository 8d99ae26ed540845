import type { JsonObject } from '#libs/kernel/json.js';
import type { StoredKey } from '../join/stored-key.js';
import { signerFor } from '../join/signing-key.js';
import { readPageData } from '../dom.js';
import { type StoredPurchase, loadPurchases } from './stored-purchases.js';
import { showStatus } from './panel.js';
import { executePurchase, shouldResume, newPurchase, receiptText } from './purchase.js';

/** What who posted a job does with a delivery, by the word that its button carries. */
const PATHS = { accept: '/api/accept', pay: '/api/pay' } as const;

/** Lets who posted a job accept and pay what was delivered, and goes on with what an earlier visit has begun. */
export async function settle(part: HTMLElement, own: StoredKey): Promise<void> {
  const museId = own.museId!;
  const key = await signerFor(own, readPageData<string>('message-tag') ?? '');
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
  showStatus('You have posted this job with the key of this browser.');
  show(true);
  const begun = Object.values(PATHS).flatMap(path => loadPurchases(museId, path));
  for (const purchase of begun.filter(each => rowOf(rows, each))) {
    show(false);
    if (await shouldResume(purchase, 'What you did here')) await act(purchase);
    show(true);
  }
}

/** What was looked at: another delivery is neither accepted nor paid. */
function fieldsOf({ dataset: { hire = '', digest } }: HTMLElement): { readonly [name: string]: string } {
  return { hire, ...(digest && { digest }) };
}

const rowOf = (rows: readonly HTMLElement[], { fields }: StoredPurchase) =>
  rows.find(({ dataset }) => dataset['hire'] === fields['hire']);

/** A wage that is paid needs no acceptance any more; what is accepted can still be paid. */
function showSettled(rows: readonly HTMLElement[], purchase: StoredPurchase, answer: JsonObject): void {
  const row = rowOf(rows, purchase)!;
  const isPaid = purchase.path === PATHS.pay;
  row.querySelectorAll(isPaid ? 'button' : '[data-act=accept]').forEach(button => button.remove());
  row.querySelector('.aside')!.textContent = isPaid ? 'paid' : 'accepted';
  showStatus(isPaid ? receiptText(answer) || 'It is paid.' : 'Accepted.');
}
