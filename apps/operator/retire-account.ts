import { isAddress } from 'ethers';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { readPaymentsOfLog } from '#libs/payments/reconciliation/logged-payments.js';
import { setRetiring } from '#libs/payments/retiring-accounts.js';
import { openEventLog } from '#libs/setup/store-adapters.js';
import type { Settings } from '#libs/setup/settings.js';
import { type CommandReport, done, UsageError } from '#libs/terminal/command-line.js';
import { readEscrows } from './escrows.js';
import { useStore, withStores } from './stores.js';

const UNDER_WAY: ReadonlySet<string> = new Set(['accepted', 'submitted', 'settled']);

/** An account takes no new escrow from now on. Its key can go once it has no open one. */
export async function retireAccount(settings: Settings, text: string, undo: boolean): Promise<CommandReport> {
  if (!isAddress(text)) throw new UsageError('The account must be an address: 0x and 40 hex digits.');
  const account = text.toLowerCase();
  await withStores(settings, ({ vault }) => setRetiring(vault, account, !undo));
  if (undo) return done({ account, retiring: false }, `${account} takes new escrows again.`);
  const open = (await readEscrows(settings)).filter(escrow => escrow.account === account);
  const funding = (await useStore(openEventLog(settings), readFunding)).filter(each => each === account).length;
  const ok = open.length + funding === 0;
  const deadline = open.length === 0 ? null : Math.max(...open.map(escrow => escrow.deadline));
  const json = { ok, account, retiring: true, open: open.length, funding, deadline };
  return { ok, json, text: `${account} takes no new escrow. ${remedy(open.length, funding, deadline)}` };
}

/** Accounts of escrows whose funding is on its way. */
async function readFunding(log: EventLog): Promise<string[]> {
  const { payments } = await readPaymentsOfLog(log, EVENT_TYPES);
  return payments.flatMap(({ state }) =>
    UNDER_WAY.has(state.status) ? (state.accepted.data.escrow?.operator.toLowerCase() ?? []) : [],
  );
}

function remedy(open: number, funding: number, deadline: number | null): string {
  if (deadline !== null)
    return `Keep its key: only it can end its ${open} open escrows, until ${new Date(deadline).toISOString()}.`;
  return funding > 0
    ? `Keep its key: ${funding} escrows are being funded.`
    : 'It has no open escrow: remove its key from RELAYER_KEY_FILE and restart the gateways.';
}
