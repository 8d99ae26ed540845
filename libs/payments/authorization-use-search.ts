import { findUseInLogs, useTopics } from './authorization-use.js';
import type { AuthorizationUse, Rail, TransferAuthorization } from './chain.port.js';
import { UnusableAnswer } from './rpc.js';
import type { RpcAddress } from './rpc.js';
import { parseLogs, parseReceipt, toQuantity } from './rpc-values.js';
import type { Log } from './rpc-values.js';

/** Providers limit the range of one `eth_getLogs`. */
const LOG_RANGE_BLOCKS = 2_000;
/** 200,000 blocks cover five hours of 0.1 s blocks; an authorization is valid for ten minutes at most. */
const LOG_RANGES_MAX = 100;

export interface SearchBounds {
  readonly rangeBlocks: number;
  readonly rangesMax: number;
}

export const SEARCH_BOUNDS: SearchBounds = { rangeBlocks: LOG_RANGE_BLOCKS, rangesMax: LOG_RANGES_MAX };

export async function searchAuthorizationUse(
  address: RpcAddress,
  rail: Rail,
  authorization: TransferAuthorization,
  from: number,
  to: number,
  bounds: SearchBounds,
): Promise<AuthorizationUse | null> {
  for (const range of blockRanges(from, to, bounds)) {
    const filter = { address: rail.asset, topics: useTopics(authorization), ...range };
    const [log] = parseLogs(await address.call('eth_getLogs', filter));
    if (log) return readUseOfLog(address, rail, authorization, log);
  }
  return null;
}

async function readUseOfLog(
  address: RpcAddress,
  rail: Rail,
  authorization: TransferAuthorization,
  log: Log,
): Promise<AuthorizationUse> {
  const receipt = parseReceipt(await address.call('eth_getTransactionReceipt', log.transactionHash));
  const use = receipt && findUseInLogs(rail, authorization, receipt.logs);
  if (!use) throw new UnusableAnswer('An RPC node has a log but not its receipt.');
  return use;
}

function blockRanges(from: number, to: number, { rangeBlocks, rangesMax }: SearchBounds) {
  const count = Math.min(rangesMax, Math.ceil((to - from + 1) / rangeBlocks));
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    const first = from + index * rangeBlocks;
    return { fromBlock: toQuantity(first), toBlock: toQuantity(Math.min(to, first + rangeBlocks - 1)) };
  });
}
