import { DEV_RELAYER_KEY } from '#libs/payments/devchain/accounts.js';
import { EthersChain } from '#libs/payments/ethers.chain.js';
import { RAILS } from '#libs/payments/rails.js';
import type { Chains } from '#libs/setup/chains.js';
import { RpcProxy } from './doubles/rpc-proxy.js';

export const RPC_TIMEOUT_MS = 300;

/** Puts a proxy in front of each chain node: `overrides: { chains: faultyRpc.chains }`. */
export class FaultyRpc {
  constructor(private readonly rpcTimeoutMs = RPC_TIMEOUT_MS) {}

  private readonly proxies = new Map<string, RpcProxy>();

  readonly chains = async (opened: Chains): Promise<Chains> => {
    await this.stop();
    const chains = RAILS.map(async rail => {
      const proxy = await RpcProxy.start(opened.dev!.rpc[rail.short]!);
      this.proxies.set(rail.name, proxy);
      return new EthersChain(rail, [proxy.url], DEV_RELAYER_KEY, { rpcTimeoutMs: this.rpcTimeoutMs });
    });
    return { ...opened, chains: await Promise.all(chains) };
  };

  of(rail: string): RpcProxy {
    return this.proxies.get(rail)!;
  }

  mend(): void {
    for (const proxy of this.proxies.values()) proxy.clear();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.proxies.values()].map(proxy => proxy.stop()));
    this.proxies.clear();
  }
}
