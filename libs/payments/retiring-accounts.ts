import { parseJson } from '#libs/kernel/json.js';
import type { Vault } from '#libs/platform/vault/port.js';

/** Name in the vault, which all gateways share. Not in backups: their operator may have put the accounts back. */
export const RETIRING_ACCOUNTS = 'retiring-accounts';

/** Lower-case addresses of accounts that take no new escrow. */
export async function listRetiring(vault: Pick<Vault, 'get'>): Promise<readonly string[]> {
  const entry = await vault.get(RETIRING_ACCOUNTS);
  if (!(entry instanceof Uint8Array)) return [];
  return (parseJson(Buffer.from(entry).toString()) as readonly string[] | undefined) ?? [];
}

export async function setRetiring(
  vault: Pick<Vault, 'get' | 'replace'>,
  account: string,
  isRetiring: boolean,
): Promise<void> {
  const others = (await listRetiring(vault)).filter(each => each !== account);
  const accounts = isRetiring ? [...others, account] : others;
  await vault.replace(RETIRING_ACCOUNTS, Buffer.from(JSON.stringify(accounts)));
}
