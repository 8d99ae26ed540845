import { forgetPurchases } from '#libs/channels/pages/scripts/paying/stored-purchases.js';
import { forgetKey, loadKey } from './stored-key.js';

/** Removes the key with its unanswered requests. Returns a text for the reader about both. */
export async function removeKey(): Promise<string> {
  const key = await loadKey();
  await forgetKey();
  return ['Your key was removed from this browser.', ...forgetPurchases(key?.museId ?? '')].join(' ');
}
