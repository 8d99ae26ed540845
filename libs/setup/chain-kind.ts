import type { VaultEntry, Vault } from '#libs/platform/vault/port.js';
import { SettingError } from './setting.js';
import type { Settings } from './settings.js';

type ChainKind = Settings['chain'];

const VAULT_NAME = 'chain';
const MONEY: { readonly [kind in ChainKind]: string } = { dev: 'play money', rpc: 'real money' };

/**
 * Records the kind of chain at the start of a log. Throws if it started with the other kind: play money would count as
 * earnings, or real payments would be looked for on a development chain.
 */
export async function pinChainKind(vault: Vault, chain: ChainKind): Promise<void> {
  requireSame(await vault.putIfAbsent(VAULT_NAME, Buffer.from(chain)), chain);
}

/** Throws as `pinChainKind` does, but records nothing. */
export async function requireChainKind(vault: Vault, chain: ChainKind): Promise<void> {
  requireSame(await vault.get(VAULT_NAME), chain);
}

function requireSame(entry: VaultEntry | undefined, chain: ChainKind): void {
  if (!(entry instanceof Uint8Array)) return;
  const pinned = Buffer.from(entry).toString() as ChainKind;
  if (pinned === chain) return;
  const sentence = `this log was started with CHAIN=${pinned} and its payments are ${MONEY[pinned]}, so CHAIN=${chain} cannot open it.`;
  throw new SettingError('CHAIN', `${sentence} Set CHAIN=${pinned}, or start another log in another DATA_DIR.`);
}
