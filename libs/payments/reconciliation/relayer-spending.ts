import { FACILITATOR_ACCOUNT } from '#libs/payments/chain.port.js';
import { COST_WEI_MAX } from '#libs/payments/gas.js';
import { type AccountState, readAccount, readTransaction } from './chain-facts.js';
import { type Difference, makeDifference } from './differences.js';
import type { RailRun } from './reconcile-rail.js';

export interface RelayerSpending {
  readonly account: string;
  /** Transactions that it sent since the cursor; null if the node does not have the state of that block. */
  readonly transactions: number | null;
  /** Fees of the transactions that the log names. */
  readonly fees_wei: string | null;
  /** Coin that others sent to it. */
  readonly received_wei: string | null;
}

interface RelayerComparison {
  readonly relayers: readonly RelayerSpending[];
  readonly accounts: ReadonlyMap<string, AccountState>;
  readonly problems: readonly Difference[];
}

const RELAYER_KINDS: readonly string[] = ['unnamed_transactions', 'spending'];

/** Keeps earlier differences: what an account has spent stays unexplained. */
export async function compareRelayers(run: RailRun): Promise<RelayerComparison> {
  const problems = (run.cursor?.differences ?? []).filter(({ kind }) => RELAYER_KINDS.includes(kind));
  const accounts = new Map<string, AccountState>();
  const relayers: RelayerSpending[] = [];
  for (const [account, named] of submissionsByAccount(run)) {
    const after = await readAccount(run.address, account, run.to);
    if (after) accounts.set(account, after);
    const before = await stateBefore(run, account);
    if (!before || !after) {
      relayers.push({ account, transactions: null, fees_wei: null, received_wei: null });
      continue;
    }
    const [spending, found] = await compareSpending(run, account, { before, after, named });
    relayers.push(spending);
    problems.push(...found);
  }
  return { relayers, accounts, problems };
}

/** Transactions that the log names, by account and nonce. A replaced transaction shares its nonce. */
function submissionsByAccount({ payments }: RailRun): Map<string, Map<number, string[]>> {
  const accounts = new Map<string, Map<number, string[]>>();
  for (const { tx, relayer, relayer_nonce } of payments.flatMap(({ state, escrow }) => [
    ...state.submitted,
    ...escrow.submitted,
  ])) {
    if (relayer === FACILITATOR_ACCOUNT) continue;
    const nonces = accounts.get(relayer) ?? new Map<number, string[]>();
    nonces.set(relayer_nonce, [...(nonces.get(relayer_nonce) ?? []), tx]);
    accounts.set(relayer, nonces);
  }
  return accounts;
}

async function stateBefore({ address, cursor, since, from }: RailRun, account: string): Promise<AccountState | null> {
  const saved = since === undefined ? cursor?.relayers[account] : undefined;
  if (saved) return { nonce: saved.nonce, wei: BigInt(saved.wei) };
  return readAccount(address, account, Math.max(0, from - 1));
}

interface AccountPeriod {
  readonly before: AccountState;
  readonly after: AccountState;
  readonly named: ReadonlyMap<number, readonly string[]>;
}

/**
 * Compares what an account sent and spent with the transactions that the log names. The relayer may replace one of them
 * by an empty transaction, whose fee the log does not show: it counts with the maximum.
 */
async function compareSpending(
  { address, rail }: RailRun,
  account: string,
  { before, after, named }: AccountPeriod,
): Promise<readonly [RelayerSpending, Difference[]]> {
  const nonces = [...named.keys()].filter(nonce => nonce >= before.nonce && nonce < after.nonce);
  let [fees, replaced] = [0n, 0n];
  for (const nonce of nonces) {
    const mined = await Promise.all(named.get(nonce)!.map(tx => readTransaction(address, rail, tx)));
    const cost = mined.find(each => each !== null)?.costWei;
    if (cost === undefined) replaced += 1n;
    else fees += cost;
  }
  const [transactions, spent] = [after.nonce - before.nonce, before.wei - after.wei];
  const range = `nonces ${before.nonce} to ${after.nonce - 1}`;
  const differ = (kind: Difference['kind'], problem: string) =>
    makeDifference({
      kind,
      rail: rail.name,
      account,
      payment: null,
      tx: null,
      sentence: `The relayer ${account} ${problem} (${range}).`,
    });
  const unnamed = transactions - nonces.length;
  const problems = [
    ...(unnamed > 0 ? [differ('unnamed_transactions', `sent ${unnamed} transactions that the log does not name`)] : []),
    ...(spent > fees + replaced * COST_WEI_MAX
      ? [differ('spending', `spent ${spent} wei, and the transactions that the log names cost ${fees} wei`)]
      : []),
  ];
  const received = spent < fees ? fees - spent : 0n;
  return [{ account, transactions, fees_wei: fees.toString(), received_wei: received.toString() }, problems];
}
