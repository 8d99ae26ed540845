import { MINUTE_MS } from '#libs/kernel/clock.js';
import { mapParallel } from '#libs/platform/bounds/parallel.js';
import { ESCROW, parseAddress } from '#libs/payments/escrow-abi.js';
import { parseState } from '#libs/payments/escrow-calls.js';
import { TOKEN } from '#libs/payments/eip3009.js';
import { parseBytes, parseWord, toQuantity } from '#libs/payments/rpc-values.js';
import { type Difference, makeDifference } from './differences.js';
import { holdsEscrow, type PaymentsOfLog, type SettledPayment } from './logged-payments.js';
import type { RailRun } from './reconcile-rail.js';
import { formatUnits, sumUnits } from './sums.js';

const PARALLEL_MAX = 8;
/** Time in which the service writes down an end that it has sent. */
const NOTICED_MS = 10 * MINUTE_MS;

export interface EscrowBalances {
  /** Escrows without an end in the log. */
  readonly open: number;
  readonly log_usd: string;
  /** Money that the contracts hold for them. */
  readonly chain_usd: string;
}

interface HeldMoney {
  readonly payment: SettledPayment;
  readonly held: bigint;
}

/** Compares the open escrows with their contracts, and the token stores with the sums of their escrows. */
export async function compareEscrows(run: RailRun): Promise<{
  readonly escrows: EscrowBalances;
  readonly differences: readonly Difference[];
}> {
  const open = listOpen(run, run.payments);
  const all = await mapParallel(open, PARALLEL_MAX, async payment => ({ payment, held: await readHeld(run, payment) }));
  const money = await withoutEnded(run, all);
  const amounts = money.map(({ payment }) => payment.state.accepted.data);
  const balances = money.map(({ held }) => ({ amount: held }));
  return {
    escrows: { open: money.length, log_usd: sumUnits(amounts), chain_usd: sumUnits(balances) },
    differences: [...money.flatMap(compareBalance), ...(await compareStores(run, money))],
  };
}

const listOpen = ({ rail, to }: RailRun, payments: PaymentsOfLog['payments']): SettledPayment[] =>
  payments
    .filter(({ state }) => state.accepted.data.rail === rail.name)
    .filter(holdsEscrow)
    .filter(({ state }) => state.block <= to);

/** Leaves out escrows that the service has ended, or begun to end, since the log was read. */
async function withoutEnded(run: RailRun, all: readonly HeldMoney[]): Promise<readonly HeldMoney[]> {
  if (all.every(({ payment, held }) => held === amountOf(payment))) return all;
  const { payments } = await run.readLogAgain();
  const isEnding = ({ escrow, escrowAt }: SettledPayment) =>
    escrow.submitted.length > 0 && run.now - escrowAt < NOTICED_MS;
  const open = listOpen(run, payments).filter(payment => !isEnding(payment));
  const ids = new Set(open.map(({ id }) => id));
  return all.filter(({ payment, held }) => held === amountOf(payment) || ids.has(payment.id));
}

const amountOf = ({ state }: SettledPayment) => BigInt(state.accepted.data.amount);
const termsOf = ({ state }: SettledPayment) => state.accepted.data.escrow!;

async function readHeld(run: RailRun, payment: SettledPayment): Promise<bigint> {
  const { contract, payment_hash } = termsOf(payment);
  const state = await call(run, contract, ESCROW.encodeFunctionData('paymentState', [payment_hash]));
  return parseState(state).capturable;
}

function compareBalance({ payment, held }: HeldMoney): Difference[] {
  const { id, state } = payment;
  const { payer: account, amount, rail } = state.accepted.data;
  if (held === BigInt(amount)) return [];
  const sums = `the log says ${formatUnits(amount)} USD, and its contract holds ${formatUnits(held)} USD`;
  const sentence = `The open escrow of the payment ${id}: ${sums}.`;
  return [makeDifference({ kind: 'escrow_balance', rail, account, payment: id, tx: null, sentence })];
}

/** Strangers may send tokens to a store, so it can hold more. */
async function compareStores(run: RailRun, money: readonly HeldMoney[]): Promise<Difference[]> {
  const stores = new Map<string, { readonly contract: string; readonly operator: string; sum: bigint }>();
  for (const { payment, held } of money) {
    const { contract, operator } = termsOf(payment);
    const key = `${contract}/${operator}`.toLowerCase();
    const entry = stores.get(key) ?? { contract, operator, sum: 0n };
    stores.set(key, { ...entry, sum: entry.sum + held });
  }
  const differences: Difference[] = [];
  for (const { contract, operator, sum } of stores.values()) {
    const store = parseAddress(await call(run, contract, ESCROW.encodeFunctionData('getTokenStore', [operator])));
    const words = await call(run, run.rail.asset, TOKEN.encodeFunctionData('balanceOf', [store]));
    const balance = BigInt(parseWord(words));
    if (balance >= sum) continue;
    const sums = `${formatUnits(balance)} USD for open escrows of ${formatUnits(sum)} USD`;
    const sentence = `The token store ${store} of ${operator} holds ${sums}.`;
    const about = { rail: run.rail.name, account: operator, payment: null, tx: null };
    differences.push(makeDifference({ kind: 'store_balance', ...about, sentence }));
  }
  return differences;
}

const call = async ({ address, to }: RailRun, contract: string, data: string): Promise<string> =>
  parseBytes(await address.call('eth_call', { to: contract, data }, toQuantity(to)));
