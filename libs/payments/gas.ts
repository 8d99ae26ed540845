import { withOutageFallback } from '#libs/event-log/outage-fallback.js';
import type { Chain, ContractCall } from './chain.port.js';
import { parseQuantity, toQuantity } from './rpc-values.js';
import { UnusableAnswer, requireResult, type RpcAnswer, type RpcCall, type RpcPool, type RpcAddress } from './rpc.js';

/** A transfer with authorization takes about 90,000 gas, and more on roll-ups that bill data as gas. */
export const GAS_LIMIT_MIN = 200_000n;
/**
 * Limit of a call that runs a payer's own code, which may use as much gas as it gets. A passkey that is checked in
 * Solidity takes about 400,000.
 */
export const WALLET_GAS_MAX = 1_500_000n;
const GAS_MARGIN_PERCENT = 150n;
/** Clients accept a replacement only if it raises the fee by up to 12.5 %. */
const BUMP_THOUSANDTHS = 125n;
/** The base fee of Base at most doubles within six blocks, so a transaction stays valid that long. */
const BASE_FEE_FACTOR = 2n;
/** Limit that no answer of a node can raise. */
export const FEE_WEI_MAX = 100_000_000_000n;
export const COST_WEI_MAX = FEE_WEI_MAX * GAS_LIMIT_MIN;
const TIP_WEI_MIN = 1_000_000n;
const TIP_PERCENTILE = 50;
const GAS_LIMIT_AGE_MS_MAX = 30_000;
/** Reserve for sending pending payments again. */
export const TRANSACTIONS_MIN = 10;

export interface Fees {
  readonly maxFee: bigint;
  readonly tip: bigint;
}

export const FEE_CALLS: readonly RpcCall[] = [
  { method: 'eth_feeHistory', params: [toQuantity(1), 'latest', [TIP_PERCENTILE]] },
  { method: 'eth_gasPrice', params: [] },
];

export function parseFees([history, gasPrice]: readonly RpcAnswer[]): Fees {
  if (!history || 'refusal' in history) {
    const price = parseQuantity(requireResult(gasPrice));
    return { maxFee: price * BASE_FEE_FACTOR, tip: price };
  }
  const { baseFeePerGas, reward } = (history.result ?? {}) as { baseFeePerGas?: unknown; reward?: unknown };
  if (!Array.isArray(baseFeePerGas)) throw new UnusableAnswer('An RPC node returned a fee history without fees.');
  const rewards: unknown = Array.isArray(reward) ? reward[0] : undefined;
  const median = Array.isArray(rewards) ? parseQuantity(rewards[0]) : 0n;
  const tip = median > TIP_WEI_MIN ? median : TIP_WEI_MIN;
  return { maxFee: parseQuantity(baseFeePerGas.at(-1)) * BASE_FEE_FACTOR + tip, tip };
}

function gasLimitFor(estimate: bigint): bigint {
  const limit = (estimate * GAS_MARGIN_PERCENT) / 100n;
  return limit > GAS_LIMIT_MIN ? limit : GAS_LIMIT_MIN;
}

/**
 * Fees that replace a transaction with the fee `above` (wei). Nodes compare fee and tip, but the old tip is not
 * stored, so the tip is raised to the fee.
 */
export function raiseFees(fees: Fees, above: bigint): Fees {
  const requiredFee = above + (above * BUMP_THOUSANDTHS + 999n) / 1_000n;
  const maxFee = fees.maxFee > requiredFee ? fees.maxFee : requiredFee;
  return { maxFee, tip: maxFee };
}

export class GasLimitEstimator {
  private cached: { readonly limit: bigint; readonly atMs: number } | null = null;

  constructor(
    private readonly rpc: RpcPool,
    private readonly relayer: () => string,
  ) {}

  get latest(): bigint {
    return this.cached?.limit ?? GAS_LIMIT_MIN;
  }

  /** Falls back to the last limit: a node cannot estimate a transfer that would revert. */
  async estimate({ to, data }: ContractCall): Promise<bigint> {
    const now = performance.now();
    if (this.cached && now - this.cached.atMs < GAS_LIMIT_AGE_MS_MAX) return this.cached.limit;
    const call = { from: this.relayer(), to, data };
    const estimate = async (address: RpcAddress) =>
      parseQuantity(await address.call('eth_estimateGas', call, 'pending'));
    const gas = await withOutageFallback(() => this.rpc.callFirst(estimate), null);
    if (gas === null) return this.latest;
    const limit = gasLimitFor(gas);
    // A payer's own code must not make the transactions of others expensive.
    if (limit <= WALLET_GAS_MAX) this.cached = { limit, atMs: now };
    return limit;
  }
}

export const isEnoughGas = (transactionsLeft: number) => transactionsLeft >= TRANSACTIONS_MIN;

export const hasEnoughGas = async (chain: Chain) => isEnoughGas(await chain.transactionsLeft());
