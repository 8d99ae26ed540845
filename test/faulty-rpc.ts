import { afterAll, afterEach } from '@jest/globals';
import { DEV_RELAYER_KEY } from '#libs/payments/devchain/accounts.js';
import { EthersChain } from '#libs/payments/ethers.chain.js';
import { RAILS } from '#libs/payments/rails.js';
import type { Chains } from '#libs/setup/chains.js';
import type { Timing } from '#libs/payments/timing.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { RpcProxy } from './doubles/rpc-proxy.js';
import { useWorld } from './use-world.js';
import type { World, WorldOptions } from './world.js';

export const RPC_TIMEOUT_MS = 300;

/** Puts a proxy in front of each chain node. */
class FaultyRpc {
  constructor(private readonly rpcTimeoutMs: number) {}

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

interface FaultyWorld {
  readonly world: World;
  readonly faultyRpc: FaultyRpc;
  /** For a restart. */
  readonly overrides: NonNullable<WorldOptions['overrides']>;
}

/** A world whose nodes can fail until the end of a test. */
export function useFaultyWorld(
  timing: Partial<Timing> = {},
  { timeoutMs = 30 * SECOND_MS, ...options }: Omit<WorldOptions, 'overrides'> & { readonly timeoutMs?: number } = {},
): FaultyWorld {
  const faultyRpc = new FaultyRpc(timeoutMs);
  const overrides = { chains: faultyRpc.chains, payments: { timing } };
  const world = useWorld({ ...options, overrides });
  afterEach(() => faultyRpc.mend());
  afterAll(() => faultyRpc.stop());
  return { world, faultyRpc, overrides };
}
