import { sha256Hex } from '#libs/kernel/ids.js';
import type { RpcAddress } from '../rpc.js';
import { parseInteger, toQuantity, parseWord } from '../rpc-values.js';

/** Owner of a node, kept in the node's own storage so that it cannot be outdated as a file can. */
export interface NodeMarker {
  readonly pid: number;
  readonly owner: number;
  readonly folder: string;
}

export const markerAddress = `0x${sha256Hex('development chain: marker').slice(0, 40)}`;
const SLOTS = ['0x0', '0x1', '0x2'];

export const folderDigest = (folder: string): string => `0x${sha256Hex(folder)}`;

export async function writeMarker(node: RpcAddress, { pid, owner, folder }: NodeMarker): Promise<void> {
  const values = [toWord(pid), toWord(owner), folder];
  for (const [index, slot] of SLOTS.entries())
    await node.call('anvil_setStorageAt', markerAddress, slot, values[index]);
}

export async function readMarker(node: RpcAddress): Promise<NodeMarker | null> {
  const read = async (slot: string): Promise<string> =>
    parseWord(await node.call('eth_getStorageAt', markerAddress, slot, 'latest'));
  const [pid, owner, folder] = await Promise.all([read('0x0'), read('0x1'), read('0x2')]);
  return parseInteger(pid) === 0 ? null : { pid: parseInteger(pid), owner: parseInteger(owner), folder };
}

const toWord = (value: number): string => `0x${toQuantity(value).slice(2).padStart(64, '0')}`;
