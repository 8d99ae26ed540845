import { UnusableAnswer } from './rpc.js';

const QUANTITY = /^0x[0-9a-f]{1,64}$/i;
const BYTES = /^0x(?:[0-9a-f]{2})*$/i;
const WORD = /^0x[0-9a-f]{64}$/i;
const ADDRESS = /^0x[0-9a-f]{40}$/i;

export interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly transactionHash: string;
  readonly blockNumber: number;
}

export interface Block {
  readonly block: number;
  readonly hash: string;
  readonly timestamp: number;
}

export interface TransactionReceipt {
  readonly block: number;
  readonly status: 'success' | 'reverted';
  readonly logs: readonly Log[];
}

export const toQuantity = (value: number | bigint): string => `0x${value.toString(16)}`;

export function parseQuantity(value: unknown): bigint {
  return BigInt(parseText(value, QUANTITY));
}

export function parseInteger(value: unknown): number {
  const number = Number(parseQuantity(value));
  if (!Number.isSafeInteger(number)) throw new UnusableAnswer('An RPC node returned a number out of range.');
  return number;
}

export const parseBytes = (value: unknown): string => parseText(value, BYTES);

export const parseWord = (value: unknown): string => parseText(value, WORD);

export function parseFlag(value: unknown): boolean {
  return BigInt(parseWord(value)) !== 0n;
}

export function parseBlock(value: unknown): Block {
  const { number, hash, timestamp } = parseObject(value);
  return { block: parseInteger(number), hash: parseWord(hash), timestamp: parseInteger(timestamp) };
}

/** Null while no block has the transaction. */
export function parseReceipt(value: unknown): TransactionReceipt | null {
  if (value === null) return null;
  const { blockNumber, status, logs } = parseObject(value);
  if (blockNumber === null) return null;
  return {
    block: parseInteger(blockNumber),
    status: parseQuantity(status) === 1n ? 'success' : 'reverted',
    logs: parseLogs(logs),
  };
}

export function parseLogs(value: unknown): Log[] {
  if (!Array.isArray(value)) throw new UnusableAnswer('An RPC node did not return a list.');
  return value
    .map(parseObject)
    .filter(log => log['removed'] !== true)
    .map(parseLog);
}

function parseLog({ address, topics, data, transactionHash, blockNumber }: Record<string, unknown>): Log {
  if (!Array.isArray(topics)) throw new UnusableAnswer('An RPC node returned a log without topics.');
  return {
    address: parseText(address, ADDRESS).toLowerCase(),
    topics: topics.map(topic => parseWord(topic).toLowerCase()),
    data: parseBytes(data).toLowerCase(),
    transactionHash: parseWord(transactionHash).toLowerCase(),
    blockNumber: parseInteger(blockNumber),
  };
}

function parseObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new UnusableAnswer('An RPC node did not return an object.');
  return value as Record<string, unknown>;
}

function parseText(value: unknown, form: RegExp): string {
  if (typeof value !== 'string' || !form.test(value))
    throw new UnusableAnswer('An RPC node returned a malformed value.');
  return value;
}
