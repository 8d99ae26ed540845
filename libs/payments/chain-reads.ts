import type { Chain, ContractCall, LoggedReceipt, Rail } from './chain.port.js';
import { readBlock } from './chain-heads.js';
import { resultUnlessReverted } from './node-refusals.js';
import { requireResult, type RpcAddress } from './rpc.js';
import { parseInteger, parseReceipt } from './rpc-values.js';

export async function readLoggedReceipt(address: RpcAddress, rail: Rail, tx: string): Promise<LoggedReceipt | null> {
  const [head, answer] = await address.batch(
    { method: 'eth_blockNumber', params: [] },
    { method: 'eth_getTransactionReceipt', params: [tx] },
  );
  const receipt = parseReceipt(requireResult(answer));
  if (!receipt) return null;
  const isConfirmed = parseInteger(requireResult(head)) - receipt.block + 1 >= rail.confirmations;
  return { ...receipt, isConfirmed };
}

/** Reads at the hash of the newest block, because one address may hide several nodes, some of them lagging. */
export async function viewCalls(address: RpcAddress, calls: readonly ContractCall[]): ReturnType<Chain['view']> {
  const { hash, block, timestamp } = await readBlock(address, 'latest');
  const viewCall = ({ to, data }: ContractCall) => ({
    method: 'eth_call',
    params: [{ to, data }, { blockHash: hash }],
  });
  const answers = await address.batch(...calls.map(viewCall));
  return { block, timestamp, results: answers.map(resultUnlessReverted) };
}
