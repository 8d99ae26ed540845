import type { Rail } from '#libs/payments/chain.port.js';
import { said } from '../said.js';
import { wallets } from '../wallet/provider.js';

const TIMEOUT_MS = 15_000;

/** Whoever answers questions about a chain. */
export interface ChainNode {
  /** For the reader. */
  readonly name: string;
  call(method: string, params: readonly unknown[]): Promise<unknown>;
}

/** The reader's own wallet where it is on that chain, else the node that the service names for browsers, else null. */
export async function nodeOf({ chainId, short }: Rail): Promise<ChainNode | null> {
  for (const { provider } of wallets()) {
    const onChain = await provider.request({ method: 'eth_chainId' }).catch(() => null);
    if (Number(onChain) === chainId)
      return { name: 'your own wallet', call: (method, params) => provider.request({ method, params }) };
  }
  const url = said<{ readonly [short: string]: string }>('browser-rpc')?.[short];
  return url === undefined ? null : { name: new URL(url).host, call: (method, params) => asked(url, method, params) };
}

async function asked(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
    referrerPolicy: 'no-referrer',
  });
  if (!response.ok) throw new Error(`it answers ${response.status}`);
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message?: string } };
  if (error) throw new Error(String(error.message));
  return result;
}
