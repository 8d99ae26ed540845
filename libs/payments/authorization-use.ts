import type { AuthorizationUse, ExpectedUse, LogTopics, Rail } from './chain.port.js';
import { AUTHORIZATION_CANCELED, AUTHORIZATION_USED, TRANSFER, addressTopic } from './eip3009.js';
import { ESCROW, PAYMENT_AUTHORIZED } from './escrow-abi.js';
import { equalsIgnoringCase } from './scheme.js';
import { type Log, parseLogs, parseReceipt, toQuantity } from './rpc-values.js';
import { UnusableAnswer, type RpcAddress } from './rpc.js';

/** Providers limit the range of one `eth_getLogs`. */
export const LOG_RANGE_BLOCKS = 2_000;
/** 200,000 blocks cover five hours of 0.1 s blocks; an authorization is valid for ten minutes at most. */
const LOG_RANGES_MAX = 100;

function useTopics({ from, nonce }: ExpectedUse): readonly [readonly string[], string, string] {
  return [[AUTHORIZATION_USED, AUTHORIZATION_CANCELED], addressTopic(from), nonce.toLowerCase()];
}

/**
 * Finds the use among the ordered logs of one transaction. A successful transaction proves nothing, because USDG
 * accepts a second use silently: the payer has paid only if the token's next log is exactly this transfer.
 */
export function findUseInLogs(rail: Rail, expected: ExpectedUse, logs: readonly Log[]): AuthorizationUse | null {
  const tokenLogs = logs.filter(log => log.address === rail.asset.toLowerCase());
  const index = tokenLogs.findIndex(log => isUseOf(expected, log));
  const log = tokenLogs[index];
  if (!log) return null;
  const isTransferred = log.topics[0] === AUTHORIZATION_USED && isTransferOf(expected, tokenLogs[index + 1]);
  const paid = isTransferred && (!expected.funding || logs.some(each => isFundingOf(expected, each)));
  return { tx: log.transactionHash, block: log.blockNumber, paid };
}

function isUseOf(expected: ExpectedUse, { topics }: Log): boolean {
  const [events, from, nonce] = useTopics(expected);
  return topics.length === 3 && events.includes(topics[0]!) && topics[1] === from && topics[2] === nonce;
}

function isTransferOf({ from, to, value }: ExpectedUse, log: Log | undefined): boolean {
  if (log?.topics.length !== 3 || log.data.length !== 66) return false;
  const [event, sender, receiver] = log.topics;
  const sameParties = sender === addressTopic(from) && receiver === addressTopic(to);
  return event === TRANSFER && sameParties && BigInt(log.data) === BigInt(value);
}

/** A transfer to the collector alone funds nothing: the payer could send it without the contract. */
function isFundingOf({ value, funding }: ExpectedUse, { address, topics, data }: Log): boolean {
  const { escrow, collector, hash } = funding!;
  if (address !== escrow.toLowerCase() || topics[0] !== PAYMENT_AUTHORIZED || topics[1] !== hash) return false;
  const { amount, tokenCollector } = ESCROW.decodeEventLog('PaymentAuthorized', data, topics);
  return amount === BigInt(value) && equalsIgnoringCase(String(tokenCollector), collector);
}

export interface SearchBounds {
  readonly rangeBlocks: number;
  readonly rangesMax: number;
}

export const SEARCH_BOUNDS: SearchBounds = { rangeBlocks: LOG_RANGE_BLOCKS, rangesMax: LOG_RANGES_MAX };

export async function searchAuthorizationUse(
  address: RpcAddress,
  rail: Rail,
  expected: ExpectedUse,
  from: number,
  to: number,
  bounds: SearchBounds,
): Promise<AuthorizationUse | null> {
  for (const range of blockRanges(from, to, bounds)) {
    const filter = { address: rail.asset, topics: useTopics(expected), ...range };
    const [log] = parseLogs(await address.call('eth_getLogs', filter));
    if (log) return readUseOfLog(address, rail, expected, log);
  }
  return null;
}

/** Searches backwards, because the log that ends something is usually recent. */
export async function searchNewestLog(
  node: RpcAddress,
  filter: { readonly address: string; readonly topics: LogTopics },
  from: number,
  to: number,
  bounds: SearchBounds,
): Promise<Log | null> {
  for (let last = to, ranges = 0; last >= from && ranges < bounds.rangesMax; last -= bounds.rangeBlocks, ranges += 1) {
    const first = Math.max(from, last - bounds.rangeBlocks + 1);
    const range = { fromBlock: toQuantity(first), toBlock: toQuantity(last) };
    const log = parseLogs(await node.call('eth_getLogs', { ...filter, ...range })).at(-1);
    if (log) return log;
  }
  return null;
}

async function readUseOfLog(
  address: RpcAddress,
  rail: Rail,
  expected: ExpectedUse,
  log: Log,
): Promise<AuthorizationUse> {
  const receipt = parseReceipt(await address.call('eth_getTransactionReceipt', log.transactionHash));
  const use = receipt && findUseInLogs(rail, expected, receipt.logs);
  if (!use) throw new UnusableAnswer('An RPC node has a log but not its receipt.');
  return use;
}

export function blockRanges(from: number, to: number, { rangeBlocks, rangesMax }: SearchBounds) {
  const count = Math.min(rangesMax, Math.ceil((to - from + 1) / rangeBlocks));
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    const first = from + index * rangeBlocks;
    return { fromBlock: toQuantity(first), toBlock: toQuantity(Math.min(to, first + rangeBlocks - 1)) };
  });
}
