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

/** Checks that each node serves the right chain and allows cross-origin requests from this service's pages. */
export async function checkBrowserRpc(settings: Settings): Promise<Check[]> {
  const rpc = browserRpcAddresses(settings);
  const origin = new URL(settings.baseUrl ?? readAddress(settings)).origin;
  const nodes = RAILS.flatMap(rail => (rpc[rail.short] === undefined ? [] : [{ rail, url: rpc[rail.short]! }]));
  return (await Promise.all(nodes.map(({ rail, url }) => checkNode(rail, url, origin)))).flat();
}

function checkNode({ short, chainId }: Rail, url: string, origin: string): Promise<Check[]> {
  const [name, shownUrl] = [`browsers of ${short}`, redactedAddress(url)];
  const setting = `${short.toUpperCase()}_BROWSER_RPC`;
  return runCheck(name, `Check that ${shownUrl} is up, or set ${setting} to another node.`, async () => {
    const { chain, isOpen } = await probeNode(url, origin);
    const refusal = `${shownUrl} does not let pages of ${origin} read its answers.`;
    const advice = `Set ${setting} to another node.`;
    return [
      checkThat(
        chain === chainId,
        name,
        `${shownUrl} is a node of chain ${chainId}.`,
        `${shownUrl} is a node of chain ${chain}.`,
        advice,
      ),
      checkThat(isOpen, name, `${shownUrl} answers pages of ${origin}.`, refusal, advice),
    ];
  });
}

/** Sends what a browser sends from a page of `origin`: a preflight, then a request for the chain id. */
async function probeNode(url: string, origin: string) {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const requested = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' };
  const preflight = await fetch(url, { method: 'OPTIONS', headers: { origin, ...requested }, signal });
  const headers = { origin, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: CHAIN_ID_REQUEST, signal });
  const { result } = (await response.json()) as { readonly result?: unknown };
  const allowsJson = /(^|[\s,])(\*|content-type)($|[\s,])/i.test(
    preflight.headers.get('access-control-allow-headers') ?? '',
  );
  const allowsOrigin = [preflight, response].every(({ headers }) =>
    ['*', origin].includes(headers.get('access-control-allow-origin') ?? ''),
  );
  return { chain: parseInteger(result), isOpen: preflight.ok && allowsJson && allowsOrigin };
}
