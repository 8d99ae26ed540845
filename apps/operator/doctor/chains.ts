import { clockOf } from '#libs/setup/file-clock.js';
import { computeAddress, formatEther } from 'ethers';
import { SECOND_MS } from '#libs/kernel/clock.js';
import type { Rail } from '#libs/payments/chain.port.js';
import { EthersChain, expectedDomainSeparator } from '#libs/payments/ethers.chain.js';
import { parseBlock, parseInteger } from '#libs/payments/rpc-values.js';
import { RAILS } from '#libs/payments/rails.js';
import { redactedAddress } from '#libs/payments/rpc-secrets.js';
import { RpcAddress } from '#libs/payments/rpc.js';
import { browserRpcAddresses, configuredRails } from '#libs/setup/configured-rails.js';
import { readAddress, resolveCallAddress, noServiceMessage } from '#libs/setup/address-file.js';
import { accountKeys } from '#libs/setup/key-files.js';
import { openFacilitator } from '#libs/setup/chains.js';
import type { Settings } from '#libs/setup/settings.js';
import { failedCheck, type Check, passedCheck, checkThat, runCheck } from './check.js';

/** A check makes up to three calls, so their sum stays below the time limit of a check. */
const TIMEOUT_MS = 4 * SECOND_MS;
const BROWSER_TIMEOUT_MS = 10 * SECOND_MS;
/** Enough for some hundred transactions on the supported chains. */
const RELAYER_WEI_MIN = 200_000_000_000_000n;
/** Allowed offset of the newest block from this machine's clock. */
const AHEAD_SECONDS_MAX = 15;
const BEHIND_SECONDS_MAX = 180;
const CHAIN_ID_REQUEST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });

interface ChainTarget {
  readonly rail: Rail;
  readonly urls: readonly string[];
}

export async function checkChains(settings: Settings): Promise<Check[]> {
  const targets = await chainTargets(settings);
  const checks = await Promise.all(targets.map(target => checkChain(target, accountKeys(settings), settings)));
  return [...checks.flat(), ...(settings.chain === 'facilitator' ? await checkFacilitator(settings, targets) : [])];
}

async function checkFacilitator(settings: Settings, targets: readonly ChainTarget[]): Promise<Check[]> {
  const networks = await openFacilitator(settings)
    .networks()
    .catch(() => null);
  const remedy = 'Check FACILITATOR_URL and FACILITATOR_HEADERS_FILE.';
  return targets.map(({ rail: { network, title } }) =>
    checkThat(
      networks?.includes(network) === true,
      'facilitator',
      `The facilitator settles payments on ${title}.`,
      networks ? `The facilitator does not settle payments on ${title}.` : 'The facilitator does not answer.',
      remedy,
    ),
  );
}

/** Development nodes run inside the service, so their addresses come from it. */
export async function chainTargets(settings: Settings): Promise<ChainTarget[]> {
  const { baseRpc, robinhoodRpc } = settings;
  const rpc: { readonly [short: string]: readonly string[] } =
    settings.chain === 'dev' ? await devAddresses(settings) : { base: baseRpc, robinhood: robinhoodRpc };
  return configuredRails(settings)
    .map(rail => ({ rail, urls: rpc[rail.short] ?? [] }))
    .filter(({ urls }) => urls.length > 0);
}

async function devAddresses(settings: Settings): Promise<{ [short: string]: string[] }> {
  const callAddress = resolveCallAddress(settings);
  const answer = await fetch(`${callAddress.address}/api/x402`, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    () => null,
  );
  if (!answer?.ok)
    throw new Error(
      `Only the running service knows the addresses of its development nodes. ${noServiceMessage(callAddress)}`,
    );
  const { dev } = (await answer.json()) as { readonly dev?: { readonly rpc: { readonly [short: string]: string } } };
  return Object.fromEntries(Object.entries(dev?.rpc ?? {}).map(([short, url]) => [short, [url]]));
}

/** Runs all checks at once: sequential calls to a hanging node would exceed the time limit. */
async function checkChain({ rail, urls }: ChainTarget, keys: readonly string[], settings: Settings): Promise<Check[]> {
  const [name, advice] = [checkName(rail), `Check the RPC addresses of chain ${rail.chainId}.`];
  const checks = [
    ...urls.map(url => checkRpcAddress(rail, url, settings)),
    runCheck(name, advice, () => checkToken(rail, urls, keys[0]!)),
    ...keys.map(key => runCheck(name, advice, () => checkRelayer(rail, urls[0]!, computeAddress(key)))),
  ];
  return (await Promise.all(checks)).flat();
}

const checkName = ({ short }: Rail) => `chain ${short}`;

function checkRpcAddress(rail: Rail, url: string, settings: Settings): Promise<Check[]> {
  const advice = `Check that ${redactedAddress(url)} is up, or set another RPC address of chain ${rail.chainId}.`;
  return runCheck(checkName(rail), advice, async () => {
    const node = new RpcAddress(url, TIMEOUT_MS);
    const chainId = await readChainId(node).catch((cause: unknown) => {
      throw new Error(`The node of chain ${rail.chainId} at ${redactedAddress(url)} does not answer.`, { cause });
    });
    if (chainId !== rail.chainId) {
      const sentence = `${redactedAddress(url)} is a node of chain ${chainId}, not of chain ${rail.chainId}.`;
      return [
        failedCheck(checkName(rail), sentence, 'Payments cannot settle there: set an RPC address of the right chain.'),
      ];
    }
    const { timestamp, block } = parseBlock(await node.call('eth_getBlockByNumber', 'latest', false));
    const clock = checkClock(rail, `Block ${block} of ${redactedAddress(url)}`, timestamp, settings);
    return rail.finality === 'safe' ? [clock, await checkSafeHead(rail, url, node)] : [clock];
  });
}

const readChainId = async (node: RpcAddress) => parseInteger(await node.call('eth_chainId'));

/** Without a safe head no settlement, expiry or use on this rail would become final. */
async function checkSafeHead(rail: Rail, url: string, node: RpcAddress): Promise<Check> {
  const setting = `${rail.short.toUpperCase()}_FINALITY`;
  const hasSafeHead = await node.call('eth_getBlockByNumber', 'safe', false).then(parseBlock, () => null);
  const otherwise = `${redactedAddress(url)} does not report the safe head of its chain.`;
  const advice = `Set another RPC address of chain ${rail.chainId}, or set ${setting} to a number of blocks.`;
  return checkThat(
    hasSafeHead !== null,
    checkName(rail),
    `${redactedAddress(url)} reports the safe head of its chain.`,
    otherwise,
    advice,
  );
}

/** A development chain makes blocks only on demand, so the age of its newest block means nothing. */
function checkClock(rail: Rail, block: string, timestamp: number, settings: Settings): Check {
  const ahead = timestamp - Math.floor(clockOf(settings).now() / SECOND_MS);
  const [sync, name] = ["Synchronise this machine's clock with NTP.", checkName(rail)];
  if (ahead > AHEAD_SECONDS_MAX)
    return failedCheck(name, `${block} is ${ahead} seconds ahead of this machine's clock.`, sync);
  if (settings.chain !== 'dev' && -ahead > BEHIND_SECONDS_MAX)
    return failedCheck(
      name,
      `${block} is its newest block and ${-ahead} seconds old: the node is stuck, or this machine's clock is ahead.`,
      sync,
    );
  return passedCheck(name, `${block} agrees with this machine's clock.`);
}

async function checkToken(rail: Rail, urls: readonly string[], key: string): Promise<Check[]> {
  const separator = (await new EthersChain(rail, urls, key).domainSeparator()).toLowerCase();
  const isExpected = separator === expectedDomainSeparator(rail).toLowerCase();
  const otherwise = `The token at ${rail.asset} has the unexpected domain separator ${separator}.`;
  const advice = 'Signatures for this rail are invalid: do not offer it until the service knows the new token.';
  const sentence = `${rail.token} has the expected domain separator.`;
  return [checkThat(isExpected, checkName(rail), sentence, otherwise, advice)];
}

async function checkRelayer(rail: Rail, url: string, relayer: string): Promise<Check[]> {
  const answer = (await new RpcAddress(url, TIMEOUT_MS).call('eth_getBalance', relayer, 'latest')) as string;
  const wei = BigInt(answer);
  const sentence = `The relayer ${relayer} has ${formatEther(wei)} of the chain's coin`;
  const advice = `Send coin to ${relayer} on chain ${rail.chainId}: it pays for every transaction.`;
  return [
    checkThat(wei >= RELAYER_WEI_MIN, checkName(rail), `${sentence}.`, `${sentence}, which is too little.`, advice),
  ];
}

/** Checks that each node serves the right chain and allows cross-origin requests from this service's pages. */
export async function checkBrowserRpc(settings: Settings): Promise<Check[]> {
  const rpc = browserRpcAddresses(settings);
  const origin = new URL(settings.baseUrl ?? readAddress(settings)).origin;
  const nodes = RAILS.flatMap(rail => (rpc[rail.short] === undefined ? [] : [{ rail, url: rpc[rail.short]! }]));
  return (await Promise.all(nodes.map(({ rail, url }) => checkBrowserNode(rail, url, origin)))).flat();
}

function checkBrowserNode({ short, chainId }: Rail, url: string, origin: string): Promise<Check[]> {
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
  const signal = AbortSignal.timeout(BROWSER_TIMEOUT_MS);
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
