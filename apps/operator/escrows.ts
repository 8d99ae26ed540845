import { computeAddress } from 'ethers';
import { Escrow } from '#libs/domain/escrow.js';
import { Payment } from '#libs/domain/payment.js';
import type { Journal } from '#libs/event-log/journal.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { formatUnits, sumUnits } from '#libs/payments/reconciliation/sums.js';
import { type OpenEscrow, OpenEscrows } from '#libs/payments/open-escrows.js';
import { clockOf } from '#libs/setup/file-clock.js';
import { accountKeys } from '#libs/setup/key-files.js';
import type { Settings } from '#libs/setup/settings.js';
import type { CommandReport } from '#libs/terminal/command-line.js';
import { formatTable } from '#libs/terminal/print.js';
import { withStores } from './stores.js';

type ListedEscrow = NonNullable<Awaited<ReturnType<typeof describeEscrow>>>;

/** Lists escrows without an end, by account. */
export async function listEscrows(settings: Settings): Promise<CommandReport> {
  const escrows = await readEscrows(settings);
  const ok = escrows.every(({ has_key, status }) => has_key && status !== 'stuck');
  return { ok, json: { ok, escrows }, text: formatEscrows(escrows) };
}

export async function readEscrows(settings: Settings): Promise<readonly ListedEscrow[]> {
  const clock = clockOf(settings);
  const keys = new Set(accountKeys(settings).map(key => computeAddress(key).toLowerCase()));
  return withStores(settings, async ({ log, coordination, journal }) => {
    const open = new OpenEscrows({ log, coordination, clock });
    await open.refresh();
    const listed = await Promise.all(open.listOpen().map(escrow => describeEscrow(escrow, journal, keys)));
    return listed
      .filter(escrow => escrow !== null)
      .sort((one, other) => one.account.localeCompare(other.account) || one.deadline - other.deadline);
  });
}

/**
 * Times in unix ms. Only `account` can release or return the money. Null for a void payment of another scheme, which has
 * no escrow.
 */
async function describeEscrow({ id, decision, parties }: OpenEscrow, journal: Journal, keys: ReadonlySet<string>) {
  const { state } = await journal.load(Payment.source(id));
  if (state.status === 'unknown' || !state.accepted.data.escrow) return null;
  const { escrow, rail, amount } = state.accepted.data;
  const account = escrow.operator.toLowerCase();
  const { isStuck } = (await journal.load(Escrow.source(id))).state;
  return {
    account,
    has_key: keys.has(account),
    payment: id,
    hire: parties?.hire ?? null,
    rail,
    amount,
    usd: formatUnits(amount),
    deadline: escrow.capture_deadline * SECOND_MS,
    status: isStuck ? 'stuck' : statusOf(decision),
  };
}

const statusOf = (decision: OpenEscrow['decision']) =>
  decision === null ? 'funded' : decision.to === 'worker' ? 'releasing' : 'returning';

function formatEscrows(escrows: readonly ListedEscrow[]): string {
  if (escrows.length === 0) return 'There is no open escrow.';
  const rows = escrows.map(({ account, hire, rail, usd, status, deadline, payment }) => {
    return [account, String(hire ?? '-'), rail, usd, status, new Date(deadline).toISOString(), payment];
  });
  const accounts = [...new Set(escrows.map(({ account }) => account))].map(account => {
    const own = escrows.filter(escrow => escrow.account === account);
    const remedy = own[0]!.has_key
      ? 'keep its key in RELAYER_KEY_FILE'
      : 'its key is missing: add it to RELAYER_KEY_FILE';
    return `${account} holds ${sumUnits(own)} USD in ${own.length} escrows: ${remedy}.`;
  });
  return [
    formatTable([['account', 'hire', 'rail', 'usd', 'status', 'deadline', 'payment'], ...rows]),
    ...accounts,
  ].join('\n');
}
