import type { Escrow } from '#libs/domain/escrow.js';
import { isSettled, type KnownPayment } from '#libs/domain/payment.js';
import { MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { SEARCH_BOUNDS, searchNewestLog } from '#libs/payments/authorization-use.js';
import type { Rail } from '#libs/payments/chain.port.js';
import { addressTopic, TRANSFER } from '#libs/payments/eip3009.js';
import { ESCROW, PAYMENT_AUTHORIZED, type PaymentInfo } from '#libs/payments/escrow-abi.js';
import { endFilter, escrowCall, listEscrowEnds, parseState, stateCall } from '#libs/payments/escrow-calls.js';
import { ESCROW_CONTRACTS, findEscrowVersion } from '#libs/payments/escrow-contracts.js';
import { resultUnlessReverted } from '#libs/payments/node-refusals.js';
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
  /** The service had long enough to send the release that the log decided. */
  readonly isReleaseOverdue: boolean;
}

export const escrowTermsOf = ({ accepted: { data } }: KnownPayment) => {
  const { contract, payment_hash: hash } = data.escrow!;
  const version = findEscrowVersion(contract);
  return { version, contracts: ESCROW_CONTRACTS[version], hash };
};

type Ended = Extract<Escrow['status'], 'released' | 'returned'>;

/** Compares an escrow with its contract. Null if the log says what the chain shows. */
export async function findEscrowProblem(
  logged: LoggedEscrow,
  times: EscrowTimes,
  node: RpcAddress,
): Promise<string | null> {
  const { status } = logged.escrow;
  const info = await findPaymentInfo(logged, node);
  const difference = info && findOtherTerm(logged, info);
  if (difference) return `Its escrow has another ${difference} on the chain than in the log.`;
  return status === 'released' || status === 'returned'
    ? findWrongEnd(logged, status, info, node)
    : ((await findUnnoticed(logged, times, node)) ?? findWithheld(logged, info, node));
}

/** Null if the transaction of the funding is not on the chain, which is another finding. */
async function findPaymentInfo({ payment }: LoggedEscrow, node: RpcAddress): Promise<PaymentInfo | null> {
  if (!('tx' in payment)) return null;
  const receipt = parseReceipt(await node.call('eth_getTransactionReceipt', payment.tx));
  return receipt && paymentInfoIn(escrowTermsOf(payment).hash, receipt.logs);
}

/** Name of a term that the contract holds otherwise than the log says. Its fees are zero, so that all goes to one party. */
function findOtherTerm({ payment, rail }: LoggedEscrow, info: PaymentInfo): string | undefined {
  const { payer, amount, escrow } = payment.accepted.data;
  const { operator, capture_deadline: deadline } = escrow!;
  const terms = {
    operator,
    payer,
    token: rail.asset,
    maxAmount: amount,
    authorizationExpiry: deadline,
    refundExpiry: deadline,
    minFeeBps: 0,
    maxFeeBps: 0,
  } satisfies { readonly [term in keyof PaymentInfo]?: string | number };
  const names = Object.keys(terms) as (keyof typeof terms)[];
  return names.find(name => String(info[name]).toLowerCase() !== String(terms[name]).toLowerCase());
}

async function findWrongEnd(
  logged: LoggedEscrow,
  status: Ended,
  info: PaymentInfo | null,
  node: RpcAddress,
): Promise<string | null> {
  const { payment, escrow, rail } = logged;
  const { tx, block, reason } = escrow.end!;
  const amount = BigInt(payment.accepted.data.amount);
  const receipt = parseReceipt(await node.call('eth_getTransactionReceipt', tx));
  if (!receipt) return `The chain does not know the transaction ${tx}, with which the escrow was ${status}.`;
  if (receipt.block !== block)
    return `The transaction ${tx}, with which the escrow was ${status}, is in block ${receipt.block}, not ${block}.`;
  const ends = listEscrowEnds(escrowTermsOf(payment), receipt.logs);
  const isRight = ends.every(({ by }) => (by === 'capture') === (status === 'released'));
  if (ends.length === 0 || !isRight) return `Its escrow was not ${status} by the transaction ${tx}.`;
  const isReclaimed = ends.some(({ by }) => by === 'reclaim');
  if (isReclaimed !== (reason === 'reclaimed'))
    return `The transaction ${tx} ${isReclaimed ? 'is' : 'is not'} a reclaim of the poster, unlike the log says.`;
  const moved = ends.reduce((sum, end) => sum + end.amount, 0n);
  if (moved !== amount) return `The transaction ${tx} moves ${moved} of the ${amount} units in the escrow.`;
  const receiver = status === 'returned' ? payment.accepted.data.payer : (info?.receiver ?? null);
  const isPaid = receiver === null || receipt.logs.some(log => isTransferTo(log, { rail, receiver, amount }));
  return isPaid ? null : `The transaction ${tx} does not pay the amount of the escrow to ${receiver}.`;
}

/** The contract names the receiver of the money, even where the log does not. */
export const receiverOfEscrow = (hash: string, logs: TransactionReceipt['logs']): string | null =>
  paymentInfoIn(hash, logs)?.receiver ?? null;

function paymentInfoIn(hash: string, logs: TransactionReceipt['logs']): PaymentInfo | null {
  const log = logs.find(({ topics: [event, key] }) => event === PAYMENT_AUTHORIZED && key === hash);
  return log ? (ESCROW.decodeEventLog('PaymentAuthorized', log.data, log.topics)['info'] as PaymentInfo) : null;
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
  const isFundedInLog = isSettled(payment);
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

/** Finds a release that the service does not send, although the contract would accept it. */
async function findWithheld(
  { payment, escrow, isReleaseOverdue }: LoggedEscrow,
  info: PaymentInfo | null,
  node: RpcAddress,
): Promise<string | null> {
  if (!isReleaseOverdue || !info || escrow.submitted.at(-1)?.step === 'void') return null;
  const { to, data } = escrowCall({ ...escrowTermsOf(payment), info }, { step: 'capture' });
  const call = { from: payment.accepted.data.escrow!.operator, to, data };
  const [answer] = await node.batch({ method: 'eth_call', params: [call, 'latest'] });
  return resultUnlessReverted(answer) === null
    ? null
    : 'Its escrow was decided for the worker, and the service does not send the release that its contract accepts.';
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
