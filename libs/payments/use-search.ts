import { useInLogs, useTopics } from './authorization-use.js';
import type { AuthorizationUse, Rail, TransferAuthorization } from './chain.port.js';
import { Unusable } from './rpc.js';
import type { RpcAddress } from './rpc.js';
import { logsOf, receiptOf, toQuantity } from './rpc-values.js';
import type { Log } from './rpc-values.js';

/** Providers cap the range of one `eth_getLogs`. */
const LOG_RANGE_BLOCKS = 2_000;
/** 200,000 blocks: more than five hours where a block takes 0.1 s, while an authorization is good for ten minutes. */
const LOG_RANGES_MAX = 100;

/** How far one search goes, and in which steps. */
export interface SearchBounds {
  readonly rangeBlocks: number;
  readonly rangesMax: number;
}

export const SEARCH_BOUNDS: SearchBounds = { rangeBlocks: LOG_RANGE_BLOCKS, rangesMax: LOG_RANGES_MAX };

/** The use or cancel of the authorization in the blocks `from` to `to` as one node knows them, or null. */
export async function searchUse(
  address: RpcAddress,
  rail: Rail,
  authorization: TransferAuthorization,
  from: number,
  to: number,
  bounds: SearchBounds,
): Promise<AuthorizationUse | null> {
  for (const range of ranges(from, to, bounds)) {
    const filter = { address: rail.asset, topics: useTopics(authorization), ...range };
    const [log] = logsOf(await address.call('eth_getLogs', filter));
    if (log) return useOfLog(address, rail, authorization, log);
  }
  return null;
}

/** Only the receipt shows which log of the token comes next. */
async function useOfLog(
  address: RpcAddress,
  rail: Rail,
  authorization: TransferAuthorization,
  log: Log,
): Promise<AuthorizationUse> {
  const receipt = receiptOf(await address.call('eth_getTransactionReceipt', log.transactionHash));
  const use = receipt && useInLogs(rail, authorization, receipt.logs);
  if (!use) throw new Unusable('An RPC node has a log and not its receipt.');
  return use;
}

function ranges(from: number, to: number, { rangeBlocks, rangesMax }: SearchBounds) {
  const count = Math.min(rangesMax, Math.ceil((to - from + 1) / rangeBlocks));
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    const first = from + index * rangeBlocks;
    return { fromBlock: toQuantity(first), toBlock: toQuantity(Math.min(to, first + rangeBlocks - 1)) };
  });
}
