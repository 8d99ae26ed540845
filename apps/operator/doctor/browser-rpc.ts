import { SECOND_MS } from '#libs/kernel/clock.js';
import type { Rail } from '#libs/payments/chain.port.js';
import { RAILS } from '#libs/payments/rails.js';
import { redactedAddress } from '#libs/payments/rpc-secrets.js';
import { parseInteger } from '#libs/payments/rpc-values.js';
import { readAddress } from '#libs/setup/address-file.js';
import { browserRpcAddresses } from '#libs/setup/configured-rails.js';
import type { Settings } from '#libs/setup/settings.js';
import { type Check, checkThat, runCheck } from './check.js';

const TIMEOUT_MS = 10 * SECOND_MS;
const CHAIN_ID_REQUEST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });

/** The nodes that pages ask: whether each is one of its chain, and answers a page of this service (CORS). */
export async function checkBrowserRpc(settings: Settings): Promise<Check[]> {
  const rpc = browserRpcAddresses(settings);
  const origin = new URL(settings.baseUrl ?? readAddress(settings)).origin;
  const named = RAILS.flatMap(rail => (rpc[rail.short] === undefined ? [] : [{ rail, url: rpc[rail.short]! }]));
  return (await Promise.all(named.map(({ rail, url }) => checkNode(rail, url, origin)))).flat();
}

function checkNode({ short, chainId }: Rail, url: string, origin: string): Promise<Check[]> {
  const [name, shown] = [`browsers of ${short}`, redactedAddress(url)];
  const setting = `${short.toUpperCase()}_BROWSER_RPC`;
  return runCheck(name, `Look whether ${shown} is up, or name another node in ${setting}.`, async () => {
    const { chain, isOpen } = await probeNode(url, origin);
    const [closed, advice] = [
      `${shown} does not let pages of ${origin} read its answers.`,
      `Name another in ${setting}.`,
    ];
    return [
      checkThat(
        chain === chainId,
        name,
        `${shown} is a node of chain ${chainId}.`,
        `${shown} is one of ${chain}.`,
        advice,
      ),
      checkThat(isOpen, name, `${shown} answers pages of ${origin}.`, closed, advice),
    ];
  });
}

/** What a browser asks on a page of `origin`: first whether it may send JSON, then for the chain. */
async function probeNode(url: string, origin: string) {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const wanted = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' };
  const before = await fetch(url, { method: 'OPTIONS', headers: { origin, ...wanted }, signal });
  const headers = { origin, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: CHAIN_ID_REQUEST, signal });
  const { result } = (await response.json()) as { readonly result?: unknown };
  const takesJson = /(^|[\s,])(\*|content-type)($|[\s,])/i.test(
    before.headers.get('access-control-allow-headers') ?? '',
  );
  const lets = [before, response].every(({ headers }) =>
    ['*', origin].includes(headers.get('access-control-allow-origin') ?? ''),
  );
  return { chain: parseInteger(result), isOpen: before.ok && takesJson && lets };
}
