import { Payment } from '#libs/streams/payment.js';
import { useInLogs } from '#libs/payments/authorization-use.js';
import type { Rail } from '#libs/payments/chain.port.js';
import { RAILS } from '#libs/payments/rails.js';
import { RpcAddress } from '#libs/payments/rpc.js';
import { type Log, receiptOf, type TransactionReceipt } from '#libs/payments/rpc-values.js';
import type { Findings } from './findings.js';

/** How many payments are asked for at once. */
const AT_ONCE = 8;
const ADDRESS_CHARACTERS = 40;

type Known = Exclude<Payment, { status: 'unknown' }>;
export type SettledPayment = Extract<Payment, { tx: string }>;

export const isSettled = (payment: Known): payment is SettledPayment =>
  payment.status === 'settled' || payment.status === 'applied';

/** How many payments were found on their chain, and of how many nobody was asked, by their chain. */
export interface OnChain {
  readonly found: number;
  readonly unasked: { readonly [chain: string]: number };
}

/**
 * Looks for every settled payment in the receipt of its transaction: that the token used this very authorization
 * (EIP-3009) and moved exactly its amount from its payer. Payments on chains without an address are counted.
 */
export async function checkPayments(
  payments: readonly Known[],
  rpc: ReadonlyMap<string, string>,
  findings: Findings,
): Promise<OnChain> {
  const nodes = new Map([...rpc].map(([short, url]) => [short, new RpcAddress(url)]));
  const all = payments.filter(isSettled);
  const settled = all.filter(payment => nodes.has(chainOf(payment)));
  let found = 0;
  for (let from = 0; from < settled.length; from += AT_ONCE) {
    const some = settled.slice(from, from + AT_ONCE);
    const problems = await Promise.all(some.map(payment => problemOf(payment, nodes.get(railOf(payment)!.short)!)));
    for (const [at, problem] of problems.entries()) {
      const stream = Payment.named(some[at]!.accepted.data.payment);
      if (problem === null) found += 1;
      else findings.add('payment', problem, { stream });
    }
  }
  return { found, unasked: counted(all.filter(payment => !nodes.has(chainOf(payment))).map(chainOf)) };
}

const railOf = ({ accepted }: Known) => RAILS.find(({ name }) => name === accepted.data.rail);
/** The short name of a payment's chain, or that of a rail which this build does not know. */
const chainOf = (payment: Known) => railOf(payment)?.short ?? payment.accepted.data.rail;

function counted(names: readonly string[]): { [name: string]: number } {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** What is wrong with a payment, as a sentence; null where it is on the chain as the log says. */
async function problemOf(payment: SettledPayment, node: RpcAddress): Promise<string | null> {
  const { tx, block } = payment;
  try {
    const receipt = receiptOf(await node.call('eth_getTransactionReceipt', tx));
    if (!receipt) return `The chain does not know its transaction ${tx}.`;
    if (receipt.block !== block) return `Its transaction ${tx} is in block ${receipt.block}, not ${block}.`;
    return movedIn(receipt, payment) ? null : `Its transaction ${tx} does not move its amount by its authorization.`;
  } catch (error) {
    return `Its transaction ${tx} cannot be looked up: ${(error as Error).message}`;
  }
}

/** The receiver of a wage is sealed, so any receiver is accepted. Amount, payer and nonce must be right. */
function movedIn({ logs }: TransactionReceipt, payment: SettledPayment): boolean {
  const rail = railOf(payment)!;
  const { payer: from, nonce, amount: value, valid_after, valid_before } = payment.accepted.data;
  const authorization = { from, value, nonce, validAfter: valid_after, validBefore: valid_before };
  return receivers(rail, logs).some(to => useInLogs(rail, { ...authorization, to }, logs)?.paid === true);
}

const receivers = ({ asset }: Rail, logs: readonly Log[]) =>
  logs
    .filter(({ address, topics }) => address === asset.toLowerCase() && topics.length === 3)
    .map(({ topics }) => `0x${topics[2]!.slice(-ADDRESS_CHARACTERS)}`);
