import { Escrow } from '#libs/domain/escrow.js';
import { isSettled, type KnownPayment, Payment, type SettledPaymentState } from '#libs/domain/payment.js';
import { mapParallel } from '#libs/platform/bounds/parallel.js';
import { findUseInLogs } from '#libs/payments/authorization-use.js';
import type { ExpectedUse, Rail } from '#libs/payments/chain.port.js';
import { addressIn } from '#libs/payments/eip3009.js';
import { RAILS } from '#libs/payments/rails.js';
import { RpcAddress } from '#libs/payments/rpc.js';
import { type Log, parseReceipt, type TransactionReceipt } from '#libs/payments/rpc-values.js';
import { escrowTermsOf, findEscrowProblem, receiverOfEscrow } from './escrows-on-chain.js';
import type { Findings } from './findings.js';
import type { AuditState } from './rules/audit-state.js';
import { includesReceiver } from './rules/receivers.js';

const PARALLEL_MAX = 8;

export interface OnChainCounts {
  readonly found: number;
  /** Wages to an address that the log does not show. */
  readonly unshown: number;
  readonly notLookedUp: { readonly [chain: string]: number };
}

export interface PaymentCheckInput extends Pick<
  AuditState,
  'receivers' | 'sales' | 'escrow' | 'escrowDecisions' | 'times' | 'chainUse'
> {
  readonly payments: readonly KnownPayment[];
}

/**
 * Compares each settled payment with the receipt of its transaction: authorization (EIP-3009), exact amount, payer and,
 * if the log shows it, payee; for an escrow its contract, and its end. Counts payments on chains without an RPC address.
 */
export async function checkPayments(
  input: PaymentCheckInput,
  rpc: ReadonlyMap<string, string>,
  findings: Findings,
): Promise<OnChainCounts> {
  const { payments, receivers, sales } = input;
  const nodes = new Map([...rpc].map(([short, url]) => [short, new RpcAddress(url)]));
  const all = payments.filter(isSettled);
  const settled = all.filter(payment => nodes.has(chainName(payment)));
  let [found, unshown] = [0, 0];
  const transfers = await mapParallel(settled, PARALLEL_MAX, payment =>
    findTransfer(payment, nodes.get(chainName(payment))!),
  );
  for (const [index, transfer] of transfers.entries()) {
    const { payment, endpoint } = settled[index]!.accepted.data;
    const isRight = 'to' in transfer ? includesReceiver(receivers.get(payment) ?? null, transfer.to) : false;
    if (isRight === false) findings.add('payment', describeProblem(transfer), { stream: Payment.streamName(payment) });
    else found += 1;
    if (isRight === null && sales.get(endpoint)?.payee === 'worker') unshown += 1;
  }
  await checkEscrows(input, nodes, findings);
  const notLookedUp = countByName(all.filter(payment => !nodes.has(chainName(payment))).map(chainName));
  return { found, unshown, notLookedUp };
}

type Nodes = ReadonlyMap<string, RpcAddress>;

async function checkEscrows(input: PaymentCheckInput, nodes: Nodes, findings: Findings) {
  const { payments, escrow, escrowDecisions, times, chainUse } = input;
  const funded = payments.filter(each => each.accepted.data.escrow && nodes.has(chainName(each)));
  await mapParallel(funded, PARALLEL_MAX, async payment => {
    const key = payment.accepted.data.payment;
    const decision = escrowDecisions.get(key);
    const isOverdue = decision?.to === 'worker' && chainUse.isUsedLongAfter(key, decision.at);
    const logged = { payment, escrow: escrow(key), rail: findRail(payment)!, isReleaseOverdue: isOverdue };
    const node = nodes.get(chainName(payment))!;
    const problem = await findEscrowProblem(logged, times, node).catch(
      (error: unknown) => `Its escrow cannot be looked up: ${(error as Error).message}`,
    );
    if (problem) findings.add('payment', problem, { stream: Escrow.streamName(key) });
  });
}

const findRail = ({ accepted }: KnownPayment) => RAILS.find(({ name }) => name === accepted.data.rail);
/** Falls back to the name of a rail that this build does not know. */
const chainName = (payment: KnownPayment) => findRail(payment)?.short ?? payment.accepted.data.rail;

function countByName(names: readonly string[]): { [name: string]: number } {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}

type TransferResult = { readonly tx: string; readonly to: string } | { readonly problem: string };

const describeProblem = (transfer: TransferResult) =>
  'problem' in transfer
    ? transfer.problem
    : `Its transaction ${transfer.tx} paid ${transfer.to}, which is not an address of its payee in the log.`;

async function findTransfer(payment: SettledPaymentState, node: RpcAddress): Promise<TransferResult> {
  const { tx, block } = payment;
  try {
    const receipt = parseReceipt(await node.call('eth_getTransactionReceipt', tx));
    if (!receipt) return { problem: `The chain does not know its transaction ${tx}.` };
    if (receipt.block !== block)
      return { problem: `Its transaction ${tx} is in block ${receipt.block}, not ${block}.` };
    const to = findReceiver(receipt, payment);
    return to ? { tx, to } : { problem: `Its transaction ${tx} does not transfer its amount with its authorization.` };
  } catch (error) {
    return { problem: `Its transaction ${tx} cannot be looked up: ${(error as Error).message}` };
  }
}

function findReceiver({ logs }: TransactionReceipt, payment: SettledPaymentState): string | undefined {
  const rail = findRail(payment)!;
  const { payer: from, nonce, amount: value, pay_to, escrow } = payment.accepted.data;
  const isPaid = (use: Pick<ExpectedUse, 'to' | 'funding'>) =>
    findUseInLogs(rail, { from, nonce, value, ...use }, logs)?.paid === true;
  if (escrow) {
    const { contracts, hash } = escrowTermsOf(payment);
    const isFunded = isPaid({ to: contracts.collector, funding: { ...contracts, hash } });
    return isFunded ? receiverOfEscrow(hash, logs)! : undefined;
  }
  const candidates = pay_to === null ? receiversInLogs(rail, logs) : [pay_to];
  return candidates.find(to => isPaid({ to }));
}

const receiversInLogs = ({ asset }: Rail, logs: readonly Log[]) =>
  logs
    .filter(({ address, topics }) => address === asset.toLowerCase() && topics.length === 3)
    .map(({ topics }) => addressIn(topics[2]!));
