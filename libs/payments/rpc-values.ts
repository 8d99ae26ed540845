import { Unusable } from './rpc.js';

/** What an RPC node answers, read strictly: what has not the expected form is no answer of a node. */

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
  /** Unix seconds. */
  readonly timestamp: number;
}

export interface TransactionReceipt {
  readonly block: number;
  readonly status: 'success' | 'reverted';
  readonly logs: readonly Log[];
}

export const toQuantity = (value: number | bigint): string => `0x${value.toString(16)}`;

export function quantity(value: unknown): bigint {
  return BigInt(matching(value, QUANTITY));
}

/** A quantity that is a block, a nonce or a time: small enough for a number. */
export function integer(value: unknown): number {
  const number = Number(quantity(value));
  if (!Number.isSafeInteger(number)) throw new Unusable('An RPC node answered a number out of range.');
  return number;
}

export const bytes = (value: unknown): string => matching(value, BYTES);

/** 32 bytes: what a view function of a token answers. */
export const word = (value: unknown): string => matching(value, WORD);

export function flag(value: unknown): boolean {
  return BigInt(word(value)) !== 0n;
}

export function blockOf(value: unknown): Block {
  const { number, hash, timestamp } = record(value);
  return { block: integer(number), hash: word(hash), timestamp: integer(timestamp) };
}

/** Null while no block has the transaction. */
export function receiptOf(value: unknown): TransactionReceipt | null {
  if (value === null) return null;
  const { blockNumber, status, logs } = record(value);
  if (blockNumber === null) return null;
  return {
    block: integer(blockNumber),
    status: quantity(status) === 1n ? 'success' : 'reverted',
    logs: logsOf(logs),
  };
}

export function logsOf(value: unknown): Log[] {
  if (!Array.isArray(value)) throw new Unusable('An RPC node answered no list.');
  return value
    .map(record)
    .filter(log => log['removed'] !== true)
    .map(logOf);
}

function logOf({ address, topics, data, transactionHash, blockNumber }: Record<string, unknown>): Log {
  if (!Array.isArray(topics)) throw new Unusable('An RPC node answered a log without topics.');
  return {
    address: matching(address, ADDRESS).toLowerCase(),
    topics: topics.map(topic => word(topic).toLowerCase()),
    data: bytes(data).toLowerCase(),
    transactionHash: word(transactionHash).toLowerCase(),
    blockNumber: integer(blockNumber),
  };
}

function record(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Unusable('An RPC node answered no object.');
  return value as Record<string, unknown>;
}

function matching(value: unknown, form: RegExp): string {
  if (typeof value !== 'string' || !form.test(value)) throw new Unusable('An RPC node answered another form.');
  return value;
}
