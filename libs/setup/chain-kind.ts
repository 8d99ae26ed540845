import type { VaultEntry, Vault } from '#libs/platform/vault/port.js';
import { SettingError } from './setting.js';
import type { Settings } from './settings.js';

type ChainKind = Settings['chain'];

const VAULT_NAME = 'chain';
const MONEY: { readonly [kind in ChainKind]: string } = { dev: 'play money', rpc: 'real money' };

/**
 * Notes the kind of chain that a log is begun with. Throws if the log was begun with the other kind: play money would
 * count as earnings, or real payments would be looked for on a development chain.
 */
export async function pinChainKind(vault: Vault, chain: ChainKind): Promise<void> {
  requireSame(await vault.putIfAbsent(VAULT_NAME, Buffer.from(chain)), chain);
}

/** Throws as `keepChainKind`, and notes nothing. */
export async function requireChainKind(vault: Vault, chain: ChainKind): Promise<void> {
  requireSame(await vault.get(VAULT_NAME), chain);
}

function requireSame(held: VaultEntry | undefined, chain: ChainKind): void {
  if (!(held instanceof Uint8Array)) return;
  const kept = Buffer.from(held).toString() as ChainKind;
  if (kept === chain) return;
  const sentence = `this log was begun with CHAIN=${kept} and its payments are ${MONEY[kept]}, so CHAIN=${chain} cannot open it.`;
  throw new SettingError('CHAIN', `${sentence} Set CHAIN=${kept}, or begin another log in another DATA_DIR.`);
}
