import type { Held, Vault } from '#libs/platform/vault/port.js';
import { SettingError } from './setting.js';
import type { Settings } from './settings.js';

type ChainKind = Settings['chain'];

const NAME = 'chain';
const MONEY: { readonly [kind in ChainKind]: string } = { dev: 'play money', rpc: 'real money' };

/**
 * Notes the kind of chain that a log is begun with. Throws if the log was begun with the other kind: play money would
 * count as earnings, or real payments would be looked for on a development chain.
 */
export async function keepChainKind(vault: Vault, chain: ChainKind): Promise<void> {
  mustBeSame(await vault.putIfAbsent(NAME, Buffer.from(chain)), chain);
}

/** Throws as `keepChainKind`, and notes nothing. */
export async function mustBeItsChainKind(vault: Vault, chain: ChainKind): Promise<void> {
  mustBeSame(await vault.get(NAME), chain);
}

function mustBeSame(held: Held | undefined, chain: ChainKind): void {
  if (!(held instanceof Uint8Array)) return;
  const kept = Buffer.from(held).toString() as ChainKind;
  if (kept === chain) return;
  const sentence = `this log was begun with CHAIN=${kept} and its payments are ${MONEY[kept]}, so CHAIN=${chain} cannot open it.`;
  throw new SettingError('CHAIN', `${sentence} Set CHAIN=${kept}, or begin another log in another DATA_DIR.`);
}
