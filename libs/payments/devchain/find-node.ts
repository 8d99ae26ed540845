import fs from 'node:fs';
import path from 'node:path';
import { sha256Hex } from '#libs/kernel/ids.js';
import { RpcAddress, UnusableAnswer } from '#libs/payments/rpc.js';
import { parseInteger, toQuantity, parseWord } from '#libs/payments/rpc-values.js';
import { endProcess, isAlive, isPortFree, isNodeAt } from './processes.js';

export const HOST = '127.0.0.1';
const PROBE_TIMEOUT_MS = 5_000;

export interface DevNodeOptions {
  readonly chainId: number;
  /** 0 takes the last port if it is free, or else any free one. */
  readonly port: number;
  readonly folder: string;
  readonly isShared: boolean;
  readonly warn: (sentence: string) => void;
}

/** Finds a running node. `pid` is null if another process owns it. */
export async function findNode(options: DevNodeOptions): Promise<NodeRecord | null> {
  return (await findNodeOfFolder(options)) ?? (await findNodeAtPort(options));
}

async function findNodeOfFolder({ chainId, port, folder }: DevNodeOptions): Promise<NodeRecord | null> {
  const record = readRecord(folder, chainId);
  const node = record && (await probeNode(record.port));
  if (!record || node?.chainId !== chainId || !belongsToFolder(folder, node.marker, record)) return null;
  if (node.marker && hasOtherOwner(node.marker)) return { port: record.port, pid: null };
  const pid = [node.marker?.pid, record.pid].find(candidate => candidate && isNodeAt(candidate, record.port)) ?? null;
  if (port === 0 || port === record.port) return { port: record.port, pid };
  if (pid) await endProcess(pid);
  return null;
}

/** Finds a node at the configured port. Ends an orphan of another folder. */
async function findNodeAtPort({ chainId, port, isShared, warn }: DevNodeOptions): Promise<NodeRecord | null> {
  if (port === 0 || (await isPortFree(port))) return null;
  const node = await probeNode(port);
  if (node?.chainId !== chainId) {
    throw new Error(`Port ${port} is not a node of chain ${chainId}: set DEV_CHAIN_PORTS to free ports.`);
  }
  const { marker } = node;
  if (marker && hasOtherOwner(marker)) {
    const problem = `Port ${port} is the development chain of another service`;
    if (!isShared) throw new Error(`${problem}: set DEV_CHAIN_PORTS to other ports; 0,0 takes free ones.`);
    warn(`${problem}. This service uses it too.`);
  }
  const isOrphan = marker !== null && !hasOtherOwner(marker) && isNodeAt(marker.pid, port);
  if (!isOrphan) return { port, pid: null };
  await endProcess(marker.pid);
  return null;
}

/** A node whose service was killed during its start has no marker yet. */
function belongsToFolder(folder: string, marker: NodeMarker | null, record: NodeRecord): boolean {
  if (marker) return marker.folder === folderDigest(folder);
  return record.pid !== null && isNodeAt(record.pid, record.port);
}

const hasOtherOwner = ({ owner }: NodeMarker): boolean => owner !== process.pid && isAlive(owner);

export async function probeNode(port: number): Promise<{ chainId: number; marker: NodeMarker | null } | null> {
  const rpc = new RpcAddress(`http://${HOST}:${port}`, PROBE_TIMEOUT_MS);
  try {
    return { chainId: parseInteger(await rpc.call('eth_chainId')), marker: await readMarker(rpc) };
  } catch (error) {
    if (error instanceof UnusableAnswer) return null;
    throw error;
  }
}

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
interface NodeMarker {
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

async function readMarker(node: RpcAddress): Promise<NodeMarker | null> {
  const read = async (slot: string): Promise<string> =>
    parseWord(await node.call('eth_getStorageAt', markerAddress, slot, 'latest'));
  const [pid, owner, folder] = await Promise.all([read('0x0'), read('0x1'), read('0x2')]);
  return parseInteger(pid) === 0 ? null : { pid: parseInteger(pid), owner: parseInteger(owner), folder };
}

const toWord = (value: number): string => `0x${toQuantity(value).slice(2).padStart(64, '0')}`;
