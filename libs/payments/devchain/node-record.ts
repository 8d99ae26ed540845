import fs from 'node:fs';
import path from 'node:path';
import { sha256Hex } from '#libs/kernel/ids.js';
import { parseInteger, toQuantity, parseWord } from '../rpc-values.js';
import type { RpcAddress } from '../rpc.js';

export interface NodeRecord {
  readonly port: number;
  /** Null if another process owns the node. */
  readonly pid: number | null;
}

export function writeRecord(folder: string, chainId: number, { port, pid }: NodeRecord): void {
  fs.writeFileSync(fileOf(folder, chainId), JSON.stringify({ port, pid }));
}

export function readRecord(folder: string, chainId: number): NodeRecord | null {
  try {
    const { port, pid } = JSON.parse(fs.readFileSync(fileOf(folder, chainId), 'utf8')) as Record<string, unknown>;
    return isNumber(port) ? { port, pid: isNumber(pid) ? pid : null } : null;
  } catch {
    return null;
  }
}

const fileOf = (folder: string, chainId: number): string => path.join(folder, `${chainId}.node.json`);
const isNumber = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0;

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
