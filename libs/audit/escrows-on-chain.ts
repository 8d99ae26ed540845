import type { Escrow } from '#libs/domain/escrow.js';
import type { KnownPayment } from '#libs/domain/payment.js';
import { MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { SEARCH_BOUNDS, searchNewestLog } from '#libs/payments/authorization-use.js';
import type { Rail } from '#libs/payments/chain.port.js';
import { addressTopic, TRANSFER } from '#libs/payments/eip3009.js';
import { ESCROW, PAYMENT_AUTHORIZED } from '#libs/payments/escrow-abi.js';
import { endFilter, listEscrowEnds, parseState, stateCall } from '#libs/payments/escrow-calls.js';
import { ESCROW_CONTRACTS, findEscrowVersion } from '#libs/payments/escrow-contracts.js';
import type { RpcAddress } from '#libs/payments/rpc.js';
import {
  type Log,
  parseBlock,
  parseBytes,
  parseInteger,
  parseReceipt,
  toQuantity,
  type TransactionReceipt,
} from '#libs/payments/rpc-values.js';
import type { LoggedTimes } from './logged-times.js';

/** Time in which the service notices what the chain shows. */
const NOTICED_MINUTES = 10;
/** The clocks of a chain and of a service may differ. */
const CLOCKS_DIFFER_MS = 2 * MINUTE_MS;
/** The newest block of a node may be older than the one in which a payment was accepted. */
const BLOCKS_EARLIER = 100;

export type EscrowTimes = Pick<LoggedTimes, 'latest' | 'countMinutesAfter'>;

interface LoggedEscrow {
  readonly payment: KnownPayment;
  readonly escrow: Escrow;
  readonly rail: Rail;
}

export const escrowTermsOf = ({ accepted: { data } }: KnownPayment) => {
  const { contract, payment_hash: hash } = data.escrow!;
  const version = findEscrowVersion(contract);
  return { version, contracts: ESCROW_CONTRACTS[version], hash };
};

type Ended = Extract<Escrow['status'], 'released' | 'returned'>;

/** Compares an escrow with its contract. Null if the log says what the chain shows. */
export function findEscrowProblem(logged: LoggedEscrow, times: EscrowTimes, node: RpcAddress): Promise<string | null> {
  const { status } = logged.escrow;
  return status === 'released' || status === 'returned'
    ? findWrongEnd(logged, status, node)
    : findUnnoticed(logged, times, node);
}

async function findWrongEnd(logged: LoggedEscrow, status: Ended, node: RpcAddress): Promise<string | null> {
  const { payment, escrow, rail } = logged;
  const { tx, block } = escrow.end!;
  const amount = BigInt(payment.accepted.data.amount);
  const receipt = parseReceipt(await node.call('eth_getTransactionReceipt', tx));
  if (!receipt) return `The chain does not know the transaction ${tx}, with which the escrow was ${status}.`;
  if (receipt.block !== block)
    return `The transaction ${tx}, with which the escrow was ${status}, is in block ${receipt.block}, not ${block}.`;
  const ends = listEscrowEnds(escrowTermsOf(payment), receipt.logs);
  const isRight = ends.every(({ by }) => (by === 'capture') === (status === 'released'));
  if (ends.length === 0 || !isRight) return `Its escrow was not ${status} by the transaction ${tx}.`;
  const moved = ends.reduce((sum, end) => sum + end.amount, 0n);
  if (moved !== amount) return `The transaction ${tx} moves ${moved} of the ${amount} units in the escrow.`;
  const receiver = await receiverOfEnd(logged, status, node);
  const isPaid = receiver === null || receipt.logs.some(log => isTransferTo(log, { rail, receiver, amount }));
  return isPaid ? null : `The transaction ${tx} does not pay the amount of the escrow to ${receiver}.`;
}

/** Null if the transaction of the funding is not on the chain, which is another finding. */
async function receiverOfEnd({ payment }: LoggedEscrow, status: Ended, node: RpcAddress): Promise<string | null> {
  if (status === 'returned') return payment.accepted.data.payer;
  if (!('tx' in payment)) return null;
  const receipt = parseReceipt(await node.call('eth_getTransactionReceipt', payment.tx));
  return receipt && receiverOfEscrow(escrowTermsOf(payment).hash, receipt.logs);
}

/** The contract names the receiver of the money, even where the log does not. */
export function receiverOfEscrow(hash: string, logs: TransactionReceipt['logs']): string | null {
  const log = logs.find(({ topics: [event, key] }) => event === PAYMENT_AUTHORIZED && key === hash);
  if (!log) return null;
  const { info } = ESCROW.decodeEventLog('PaymentAuthorized', log.data, log.topics);
  return (info as { readonly receiver: string }).receiver;
}

interface Transfer {
  readonly rail: Rail;
  readonly receiver: string;
  readonly amount: bigint;
}

const isTransferTo = ({ address, topics, data }: Log, { rail, receiver, amount }: Transfer): boolean =>
  address === rail.asset.toLowerCase() &&
  topics.length === 3 &&
  topics[0] === TRANSFER &&
  topics[2] === addressTopic(receiver) &&
  BigInt(data) === amount;

/** Finds an end, or a funding, that the log should have by now. */
async function findUnnoticed(
  { payment, escrow }: LoggedEscrow,
  times: EscrowTimes,
  node: RpcAddress,
): Promise<string | null> {
  const terms = escrowTermsOf(payment);
  const { to, data } = stateCall(terms);
  const { isCollected, isHeld } = parseState(parseBytes(await node.call('eth_call', { to, data }, 'latest')));
  const isFundedInLog = payment.status === 'settled' || payment.status === 'applied';
  if (!isCollected || (isHeld && isFundedInLog)) return null;
  const { address, topics } = isFundedInLog ? endFilter(terms) : fundingFilter(terms);
  const search = await searchFrom(payment.accepted.data.block - BLOCKS_EARLIER, { address, topics }, node);
  const [end] = search.log && isFundedInLog ? listEscrowEnds(terms, [search.log]) : [];
  const isSecret = end && end.by !== 'reclaim' && !escrow.submitted.some(({ tx }) => tx === end.tx);
  const isDue = isSecret
    ? search.at + CLOCKS_DIFFER_MS < times.latest
    : times.countMinutesAfter(search.at) > NOTICED_MINUTES;
  if (!isDue) return null;
  const where = search.log ? ` by the transaction ${search.log.transactionHash}` : '';
  return isFundedInLog
    ? `Its escrow ended on the chain${where}, and the log does not say so.`
    : `Its escrow was funded on the chain${where}, and the log does not say so.`;
}

const fundingFilter = ({ contracts, hash }: ReturnType<typeof escrowTermsOf>) => ({
  address: contracts.escrow,
  topics: [[PAYMENT_AUTHORIZED], hash] as const,
});

/** The log and its time, unix ms. What is not found is older than the blocks that were searched. */
async function searchFrom(block: number, filter: Parameters<typeof searchNewestLog>[1], node: RpcAddress) {
  const head = parseInteger(await node.call('eth_blockNumber'));
  const { rangeBlocks, rangesMax } = SEARCH_BOUNDS;
  const from = Math.max(0, block, head - rangeBlocks * rangesMax + 1);
  const log = await searchNewestLog(node, filter, from, head, SEARCH_BOUNDS);
  const number = toQuantity(log?.blockNumber ?? from);
  const { timestamp } = parseBlock(await node.call('eth_getBlockByNumber', number, false));
  return { log, at: timestamp * SECOND_MS };
}
