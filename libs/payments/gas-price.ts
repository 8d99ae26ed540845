import { UnusableAnswer, requireResult } from './rpc.js';
import type { RpcAnswer, RpcCall } from './rpc.js';
import { parseQuantity, toQuantity } from './rpc-values.js';

/** A transfer with authorization takes about 90,000 gas: more than enough where a roll-up bills its data otherwise. */
export const GAS_LIMIT_MIN = 200_000n;
/** What an estimate may be too low by, for the price of data on the chain below has changed by the next block. */
const GAS_MARGIN_PERCENT = 150n;
/** By how much a replacement must raise its fee so that every client takes it, in thousandths: 12.5 %. */
const BUMP_THOUSANDTHS = 125n;
/** The base fee of Base can at most double within six blocks; with twice the fee a transaction is good for these. */
const BASE_FEE_FACTOR = 2n;
/** The highest fee per gas that is ever offered, whatever a node answers. */
export const FEE_WEI_MAX = 100_000_000_000n;
/** The most that one transfer may ever cost, whatever a node answers: 0.02 of the native coin. */
export const COST_WEI_MAX = FEE_WEI_MAX * GAS_LIMIT_MIN;
const TIP_WEI_MIN = 1_000_000n;
const TIP_PERCENTILE = 50;

/** Fees of an EIP-1559 transaction in wei per gas. */
export interface Fees {
  readonly maxFee: bigint;
  readonly tip: bigint;
}

export const FEE_CALLS: readonly RpcCall[] = [
  { method: 'eth_feeHistory', params: [toQuantity(1), 'latest', [TIP_PERCENTILE]] },
  { method: 'eth_gasPrice', params: [] },
];

/** The fees that the answers to `FEE_CALLS` lead to. Throws `Unusable` where the node says neither. */
export function parseFees([history, gasPrice]: readonly RpcAnswer[]): Fees {
  if (!history || 'refusal' in history) {
    const price = parseQuantity(requireResult(gasPrice));
    return { maxFee: price * BASE_FEE_FACTOR, tip: price };
  }
  const { baseFeePerGas, reward } = (history.result ?? {}) as { baseFeePerGas?: unknown; reward?: unknown };
  if (!Array.isArray(baseFeePerGas)) throw new UnusableAnswer('An RPC node answered a fee history without fees.');
  const rewards: unknown = Array.isArray(reward) ? reward[0] : undefined;
  const median = Array.isArray(rewards) ? parseQuantity(rewards[0]) : 0n;
  const tip = median > TIP_WEI_MIN ? median : TIP_WEI_MIN;
  return { maxFee: parseQuantity(baseFeePerGas.at(-1)) * BASE_FEE_FACTOR + tip, tip };
}

/** The limit for a transaction that a node has estimated: an Arbitrum Orbit chain bills its data as gas. */
export function gasLimitFor(estimate: bigint): bigint {
  const limit = (estimate * GAS_MARGIN_PERCENT) / 100n;
  return limit > GAS_LIMIT_MIN ? limit : GAS_LIMIT_MIN;
}

/**
 * The fees of a transaction that replaces one with the fee `above` (wei). A node compares both fees, and only the
 * higher one of the replaced transaction is known here, so the tip is raised to the whole fee: a stuck transaction pays
 * that to get through.
 */
export function raiseFees(fees: Fees, above: bigint): Fees {
  const needed = above + (above * BUMP_THOUSANDTHS + 999n) / 1_000n;
  const maxFee = fees.maxFee > needed ? fees.maxFee : needed;
  return { maxFee, tip: maxFee };
}
