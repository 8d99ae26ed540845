import { readEntry, saveEntry } from '#libs/platform/vault/json-entries.js';
import type { Vault } from '#libs/platform/vault/port.js';

/** Name in the vault, which all gateways share. Not in backups: their operator may have put the accounts back. */
export const RETIRING_ACCOUNTS = 'retiring-accounts';

/** Lower-case addresses of accounts that take no new escrow. */
export const listRetiring = async (vault: Pick<Vault, 'get'>): Promise<readonly string[]> =>
  (await readEntry<readonly string[]>(vault, RETIRING_ACCOUNTS)) ?? [];

export async function setRetiring(
  vault: Pick<Vault, 'get' | 'replace'>,
  account: string,
  isRetiring: boolean,
): Promise<void> {
  const others = (await listRetiring(vault)).filter(each => each !== account);
  await saveEntry(vault, RETIRING_ACCOUNTS, isRetiring ? [...others, account] : others);
}
