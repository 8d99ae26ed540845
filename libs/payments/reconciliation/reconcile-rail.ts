import { mapParallel } from '#libs/platform/bounds/parallel.js';
import { readBlock, readFinalBlock } from '#libs/payments/chain-heads.js';
import type { Rail } from '#libs/payments/chain.port.js';
import { toQuantity } from '#libs/payments/rpc-values.js';
import type { RpcAddress } from '#libs/payments/rpc.js';
import { type AccountState, readTransaction, readTransfersTo } from './chain-facts.js';
import { comparePayment, type Difference } from './differences.js';
import { compareEscrows, type EscrowBalances } from './escrow-balances.js';
import { isPaid, type LoggedPayment, type PaymentsOfLog, type SettledPayment } from './logged-payments.js';
import type { RailCursor } from './reconciliation-state.js';
import { compareRelayers, type RelayerSpending } from './relayer-spending.js';
import { compareTransfers } from './stray-transfers.js';
import { sumUnits } from './sums.js';

const PARALLEL_MAX = 8;

export interface RailInput {
  readonly rail: Rail;
  readonly log: PaymentsOfLog;
  readonly cursor: RailCursor | undefined;
  /** First block, instead of the one after the cursor. */
  readonly since: number | undefined;
  /** Whether the service itself is paid. */
  readonly paysService: (endpoint: string) => boolean;
  /** Unix ms. */
  readonly now: number;
  /** Reads the payments again, because an escrow may have ended since. */
  readonly readLogAgain: () => Promise<PaymentsOfLog>;
}

/** Input of each step of a comparison. */
export interface RailRun extends RailInput {
  readonly address: RpcAddress;
  readonly payments: readonly LoggedPayment[];
  readonly feeWallets: ReadonlySet<string>;
  readonly from: number;
  readonly to: number;
}

export interface RailReport {
  readonly rail: string;
  readonly from_block: number;
  readonly to_block: number;
  readonly payments: number;
  /** Transfers to the wallets for fees in these blocks: those that the log names, and all. */
  readonly fees: { readonly wallets: readonly string[]; readonly log_usd: string; readonly chain_usd: string };
  readonly escrows: EscrowBalances;
  readonly relayers: readonly RelayerSpending[];
  readonly differences: readonly Difference[];
}

/** Compares the payments of one rail with its chain, up to the final block of one node. */
export async function reconcileRail(
  address: RpcAddress,
  input: RailInput,
): Promise<{ readonly report: RailReport; readonly cursor: RailCursor }> {
  const { rail, log } = input;
  const payments = log.payments.filter(({ state }) => state.accepted.data.rail === rail.name);
  const final = await readFinalBlock(address, rail);
  const cursor = await findValidCursor(address, input, final.block);
  const from = input.since ?? (cursor ? cursor.block + 1 : firstBlock(payments, final.block));
  const feeWallets = log.feeWallets.get(rail.name) ?? new Set<string>();
  const run: RailRun = { ...input, cursor, address, payments, feeWallets, from, to: final.block };
  const transfers = await readTransfersTo(address, rail, [...feeWallets], run);
  const compared = await comparePayments(run);
  const { named, strays, waiting } = await compareTransfers(run, transfers);
  const { relayers, accounts, problems } = await compareRelayers(run);
  const { escrows, differences: unheld } = await compareEscrows(run);
  const differences = [...compared.differences, ...strays, ...problems, ...unheld];
  const fees = { wallets: [...feeWallets], log_usd: sumUnits(named), chain_usd: sumUnits(transfers) };
  return {
    report: {
      rail: rail.name,
      from_block: from,
      to_block: run.to,
      payments: compared.count,
      fees,
      escrows,
      relayers,
      differences,
    },
    cursor: {
      block: run.to,
      hash: final.hash,
      position: log.head,
      relayers: mapStates(accounts),
      differences,
      waiting,
    },
  };
}

/** A cursor whose block or position is gone starts again: the chain was reorganised, or the log replaced. */
async function findValidCursor(
  address: RpcAddress,
  { cursor, log }: RailInput,
  finalBlock: number,
): Promise<RailCursor | undefined> {
  if (!cursor || cursor.block > finalBlock || cursor.position > log.head) return undefined;
  const { hash } = await readBlock(address, toQuantity(cursor.block));
  return hash.toLowerCase() === cursor.hash.toLowerCase() ? cursor : undefined;
}

const firstBlock = (payments: readonly LoggedPayment[], otherwise: number) =>
  payments.reduce((first, { state }) => Math.min(first, state.accepted.data.block), otherwise);

const mapStates = (accounts: ReadonlyMap<string, AccountState>): RailCursor['relayers'] =>
  Object.fromEntries([...accounts].map(([account, { nonce, wei }]) => [account, { nonce, wei: wei.toString() }]));

/** Compares payments of the new blocks, those whose events are new, and those that differed before. */
async function comparePayments(run: RailRun) {
  const { from, to, cursor } = run;
  const differed = new Set(cursor?.differences.map(({ payment }) => payment));
  const isDue = ({ id, position, state }: SettledPayment) =>
    state.block <= to && (state.block >= from || position > (cursor?.position ?? '') || differed.has(id));
  const due = run.payments.filter(isPaid).filter(isDue);
  const differences = await mapParallel(due, PARALLEL_MAX, payment => findDifference(run, payment));
  return { count: due.length, differences: differences.flat() };
}

async function findDifference({ address, rail, paysService, feeWallets }: RailRun, payment: SettledPayment) {
  const { tx, accepted } = payment.state;
  const payees = paysService(accepted.data.endpoint) ? feeWallets : null;
  const difference = comparePayment(payment, { transaction: await readTransaction(address, rail, tx), payees });
  return difference ? [difference] : [];
}
