import type { Rail } from './chain.port.js';
import type { RpcAddress } from './rpc.js';
import { type Block, parseBlock, parseInteger, toQuantity } from './rpc-values.js';

export async function readConfirmedHead(address: RpcAddress, { confirmations }: Rail): Promise<number> {
  return Math.max(0, parseInteger(await address.call('eth_blockNumber')) - confirmations + 1);
}

export async function readFinalBlock(address: RpcAddress, { confirmations, finality }: Rail): Promise<Block> {
  const head = parseInteger(await address.call('eth_blockNumber'));
  const deep = (blocks: number) => readBlock(address, toQuantity(Math.max(0, head - blocks + 1)));
  if (finality !== 'safe') return deep(Math.max(confirmations, finality));
  const safe = await readBlock(address, 'safe');
  return safe.block <= head - confirmations + 1 ? safe : deep(confirmations);
}

export async function readBlock(address: RpcAddress, block: string): Promise<Block> {
  return parseBlock(await address.call('eth_getBlockByNumber', block, false));
}
