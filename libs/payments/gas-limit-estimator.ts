import { Unavailable } from '#libs/kernel/refusal.js';
import { GAS_LIMIT_MIN, gasLimitFor } from './gas-price.js';
import type { RpcPool, RpcAddress } from './rpc.js';
import { parseQuantity } from './rpc-values.js';

const AGE_MS_MAX = 30_000;

export class GasLimitEstimator {
  private cached: { readonly limit: bigint; readonly atMs: number } | null = null;

  constructor(
    private readonly rpc: RpcPool,
    private readonly asset: string,
    private readonly relayer: () => string,
  ) {}

  get latest(): bigint {
    return this.cached?.limit ?? GAS_LIMIT_MIN;
  }

  /** Falls back to the last limit: a node cannot estimate a transfer that would revert. */
  async estimate(data: string): Promise<bigint> {
    const now = performance.now();
    if (this.cached && now - this.cached.atMs < AGE_MS_MAX) return this.cached.limit;
    const call = { from: this.relayer(), to: this.asset, data };
    try {
      const estimate = async (address: RpcAddress) =>
        parseQuantity(await address.call('eth_estimateGas', call, 'pending'));
      this.cached = { limit: gasLimitFor(await this.rpc.callFirst(estimate)), atMs: now };
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
    }
    return this.latest;
  }
}
