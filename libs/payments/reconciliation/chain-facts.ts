import type { Rail } from '#libs/payments/chain.port.js';
import { blockRanges, LOG_RANGE_BLOCKS } from '#libs/payments/authorization-use.js';
import { addressIn, addressTopic, AUTHORIZATION_USED, TRANSFER } from '#libs/payments/eip3009.js';
import {
  type Log,
  parseInteger,
  parseLogs,
  parseQuantity,
  parseReceipt,
  toQuantity,
} from '#libs/payments/rpc-values.js';
import { UnusableAnswer, type RpcAddress } from '#libs/payments/rpc.js';

/** A transfer of the rail's token. Addresses are in lower case. */
export interface TokenTransfer {
  readonly tx: string;
  readonly block: number;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
}

export interface MinedTransaction {
  readonly block: number;
  readonly hasSucceeded: boolean;
  /** Logs of the rail's token, in order. */
  readonly logs: readonly Log[];
  readonly costWei: bigint;
}

export interface AccountState {
  /** Number of its transactions. */
  readonly nonce: number;
  readonly wei: bigint;
}

export function toTransfer({ topics, data, transactionHash, blockNumber }: Log): TokenTransfer | null {
  if (topics[0] !== TRANSFER || topics.length !== 3) return null;
  const [, from, to] = topics as [string, string, string];
  return {
    tx: transactionHash,
    block: blockNumber,
    from: addressIn(from),
    to: addressIn(to),
    amount: parseQuantity(data),
  };
}

/** Reads the transfers to some wallets, in the order of the chain. */
export async function readTransfersTo(
  address: RpcAddress,
  { asset }: Rail,
  wallets: readonly string[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<TokenTransfer[]> {
  const transfers: TokenTransfer[] = [];
  if (wallets.length === 0) return transfers;
  const topics = [TRANSFER, null, wallets.map(addressTopic)];
  for (const range of blockRanges(from, to, { rangeBlocks: LOG_RANGE_BLOCKS, rangesMax: Infinity })) {
    const logs = parseLogs(await address.call('eth_getLogs', { address: asset, topics, ...range }));
    transfers.push(...logs.flatMap(log => toTransfer(log) ?? []));
  }
  return transfers;
}

/** Null while no block has the transaction. A roll-up bills its data as `l1Fee`. */
export async function readTransaction(
  address: RpcAddress,
  { asset }: Rail,
  tx: string,
): Promise<MinedTransaction | null> {
  const answer = await address.call('eth_getTransactionReceipt', tx);
  const receipt = parseReceipt(answer);
  if (!receipt) return null;
  const { gasUsed, effectiveGasPrice, l1Fee = '0x0' } = answer as { readonly [name: string]: unknown };
  return {
    block: receipt.block,
    hasSucceeded: receipt.status === 'success',
    logs: receipt.logs.filter(log => log.address === asset.toLowerCase()),
    costWei: parseQuantity(gasUsed) * parseQuantity(effectiveGasPrice) + parseQuantity(l1Fee),
  };
}

/** Finds the transfer of an authorization: the token's next log after its use. */
export function findAuthorizedTransfer({ logs }: MinedTransaction, payer: string, nonce: string): TokenTransfer | null {
  const used = logs.findIndex(({ topics: [event, from, use] }) => {
    return event === AUTHORIZATION_USED && from === addressTopic(payer) && use === nonce.toLowerCase();
  });
  const next = used < 0 ? undefined : logs[used + 1];
  const transfer = next ? toTransfer(next) : null;
  return transfer?.from === payer.toLowerCase() ? transfer : null;
}

/** Returns the keys of the payments whose authorizations a transaction used. */
export function paymentsUsedIn({ logs }: MinedTransaction, { chainId, asset }: Rail): string[] {
  return logs
    .filter(({ topics }) => topics[0] === AUTHORIZATION_USED && topics.length === 3)
    .map(({ topics }) => [chainId, asset, addressIn(topics[1]!), topics[2]!].join(':').toLowerCase());
}

/** Null if the node no longer has the state of that block. */
export async function readAccount(address: RpcAddress, account: string, block: number): Promise<AccountState | null> {
  try {
    const at = toQuantity(block);
    const [nonce, wei] = await Promise.all([
      address.call('eth_getTransactionCount', account, at),
      address.call('eth_getBalance', account, at),
    ]);
    return { nonce: parseInteger(nonce), wei: parseQuantity(wei) };
  } catch (error) {
    if (error instanceof UnusableAnswer) return null;
    throw error;
  }
}
