import type { Rail } from '#libs/payments/chain.port.js';
import { readPageData } from '#libs/channels/pages/scripts/dom.js';
import { type Provider, findWallets } from '#libs/channels/pages/scripts/wallet.js';

const TIMEOUT_MS = 15_000;
/** A locked wallet does not answer at all. */
const CHAIN_ID_MS = 3_000;

export interface ChainNode {
  readonly name: string;
  /** Another chain may have this id in a wallet, so only a node of the service can contradict a record. */
  readonly isWallet: boolean;
  call(method: string, params: readonly unknown[]): Promise<unknown>;
}

/**
 * Prefers the reader's wallet if it is on the chain. On a development chain a wallet with its id is on another chain.
 * Returns null without a wallet and a node.
 */
export async function findNode({ chainId, short }: Rail, isDevelopmentChain: boolean): Promise<ChainNode | null> {
  for (const { provider } of isDevelopmentChain ? [] : findWallets()) {
    const walletChainId = await within(CHAIN_ID_MS, provider.request({ method: 'eth_chainId' })).catch(() => null);
    if (Number(walletChainId) === chainId) return { name: 'your wallet', isWallet: true, call: walletCall(provider) };
  }
  const url = readPageData<{ readonly [short: string]: string }>('browser-rpc')?.[short];
  // On the machine of another reader, the same loopback address may be a node of that reader.
  if (url === undefined || (isLoopback(new URL(url)) && !isLoopback(location))) return null;
  return { name: new URL(url).host, isWallet: false, call: (method, params) => callRpc(url, method, params) };
}

/** Hosts of the nodes of a development chain, and of `BASE_BROWSER_RPC` over plain http. */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

const isLoopback = ({ hostname }: Pick<Location, 'hostname'>) => LOOPBACK_HOSTS.has(hostname);

const walletCall = (provider: Provider) => (method: string, params: readonly unknown[]) =>
  within(TIMEOUT_MS, provider.request({ method, params }));

/** Adds a timeout, because wallets have none. */
async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1_000} s`)), ms);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

async function callRpc(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
    referrerPolicy: 'no-referrer',
  });
  if (!response.ok) throw new Error(`it answered ${response.status}`);
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message?: string } };
  if (error) throw new Error(String(error.message));
  return result;
}
