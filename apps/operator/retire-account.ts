import { isAddress } from 'ethers';
import { setRetiring } from '#libs/payments/retiring-accounts.js';
import type { Settings } from '#libs/setup/settings.js';
import { type CommandReport, done, UsageError } from '#libs/terminal/command-line.js';
import { readEscrows } from './escrows.js';
import { withStores } from './stores.js';

/** An account takes no new escrow from now on. Its key can go once it has no open one. */
export async function retireAccount(settings: Settings, text: string, undo: boolean): Promise<CommandReport> {
  if (!isAddress(text)) throw new UsageError('The account must be an address: 0x and 40 hex digits.');
  const account = text.toLowerCase();
  await withStores(settings, ({ vault }) => setRetiring(vault, account, !undo));
  if (undo) return done({ account, retiring: false }, `${account} takes new escrows again.`);
  const open = (await readEscrows(settings)).filter(escrow => escrow.account === account);
  const ok = open.length === 0;
  const deadline = Math.max(...open.map(escrow => escrow.deadline));
  const json = { ok, account, retiring: true, open: open.length, deadline: ok ? null : deadline };
  return { ok, json, text: `${account} takes no new escrow. ${remedy(open.length, deadline)}` };
}

const remedy = (open: number, deadline: number) =>
  open === 0
    ? 'It has no open escrow: remove its key from RELAYER_KEY_FILE and restart the gateways.'
    : `Keep its key: only it can end its ${open} open escrows, until ${new Date(deadline).toISOString()}.`;
