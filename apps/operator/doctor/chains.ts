import { clockOf } from '#libs/setup/file-clock.js';
import { computeAddress, formatEther } from 'ethers';
import { SECOND_MS } from '#libs/kernel/clock.js';
import type { Rail } from '#libs/payments/chain.port.js';
import { DEV_RELAYER_KEY } from '#libs/payments/devchain/accounts.js';
import { EthersChain, expectedDomainSeparator } from '#libs/payments/ethers.chain.js';
import { parseBlock, parseInteger } from '#libs/payments/rpc-values.js';
import { redactedAddress } from '#libs/payments/rpc-secrets.js';
import { RpcAddress } from '#libs/payments/rpc.js';
import { configuredRails } from '#libs/setup/configured-rails.js';
import { resolveCallAddress } from '#libs/setup/address-file.js';
import { readRelayerKeys } from '#libs/setup/key-files.js';
import type { Settings } from '#libs/setup/settings.js';
import { noServiceMessage } from '#libs/setup/no-service-message.js';
import { failedCheck, type Check, passedCheck, checkThat, runCheck } from './check.js';

/** The three questions of one check take less than a look may, however late each is answered. */
const TIMEOUT_MS = 4 * SECOND_MS;
/** Enough for some hundred transactions on the chains that there are rails for. */
const RELAYER_WEI_MIN = 200_000_000_000_000n;
/** How far the newest block may be ahead of this machine's clock, and behind it on a chain that never rests. */
const AHEAD_SECONDS_MAX = 15;
const BEHIND_SECONDS_MAX = 180;

interface ChainTarget {
  readonly rail: Rail;
  readonly urls: readonly string[];
}

/** Every chain that payments settle on: its addresses, its token, the balances of the relayers and the clock. */
export async function checkChains(settings: Settings): Promise<Check[]> {
  const targets = await chainTargets(settings);
  const keys = settings.chain === 'dev' ? [DEV_RELAYER_KEY] : readRelayerKeys(settings.relayerKeyFile!);
  return (await Promise.all(targets.map(target => checkChain(target, keys, settings)))).flat();
}

/** A development chain runs inside the service, which is asked for its addresses. */
async function chainTargets(settings: Settings): Promise<ChainTarget[]> {
  const { baseRpc, robinhoodRpc } = settings;
  const rpc: { readonly [short: string]: readonly string[] } =
    settings.chain === 'dev' ? await devAddresses(settings) : { base: baseRpc, robinhood: robinhoodRpc };
  return configuredRails(settings)
    .map(rail => ({ rail, urls: rpc[rail.short] ?? [] }))
    .filter(({ urls }) => urls.length > 0);
}

async function devAddresses(settings: Settings): Promise<{ [short: string]: string[] }> {
  const called = resolveCallAddress(settings);
  const answer = await fetch(`${called.address}/api/x402`, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    () => null,
  );
  if (!answer?.ok) throw new Error(`Its addresses are the service's to say. ${noServiceMessage(called)}`);
  const { dev } = (await answer.json()) as { readonly dev?: { readonly rpc: { readonly [short: string]: string } } };
  return Object.fromEntries(Object.entries(dev?.rpc ?? {}).map(([short, url]) => [short, [url]]));
}

/** All at once: waiting for a node that hangs one question after the other would take longer than the look may. */
async function checkChain({ rail, urls }: ChainTarget, keys: readonly string[], settings: Settings): Promise<Check[]> {
  const [name, advice] = [checkName(rail), `Look at the RPC addresses of chain ${rail.chainId}.`];
  const checks = [
    ...urls.map(url => checkRpcAddress(rail, url, settings)),
    runCheck(name, advice, () => checkToken(rail, urls, keys[0]!)),
    ...keys.map(key => runCheck(name, advice, () => checkRelayer(rail, urls[0]!, computeAddress(key)))),
  ];
  return (await Promise.all(checks)).flat();
}

const checkName = ({ short }: Rail) => `chain ${short}`;

function checkRpcAddress(rail: Rail, url: string, settings: Settings): Promise<Check[]> {
  const advice = `Look whether ${redactedAddress(url)} is up, or name another RPC address of chain ${rail.chainId}.`;
  return runCheck(checkName(rail), advice, async () => {
    const node = new RpcAddress(url, TIMEOUT_MS);
    const chainId = await readChainId(node).catch((cause: unknown) => {
      throw new Error(`The node of chain ${rail.chainId} at ${redactedAddress(url)} does not answer.`, { cause });
    });
    if (chainId !== rail.chainId) {
      const sentence = `${redactedAddress(url)} is a node of chain ${chainId}, not of ${rail.chainId}.`;
      return [
        failedCheck(checkName(rail), sentence, 'Payments cannot settle there: name an RPC address of the right chain.'),
      ];
    }
    const { timestamp, block } = parseBlock(await node.call('eth_getBlockByNumber', 'latest', false));
    const clock = checkClock(rail, `Block ${block} of ${redactedAddress(url)}`, timestamp, settings);
    return rail.finality === 'safe' ? [clock, await checkSafeHead(rail, url, node)] : [clock];
  });
}

const readChainId = async (node: RpcAddress) => parseInteger(await node.call('eth_chainId'));

/** Without it no settlement, expiry or use of this rail would ever be final. */
async function checkSafeHead(rail: Rail, url: string, node: RpcAddress): Promise<Check> {
  const setting = `${rail.short.toUpperCase()}_FINALITY`;
  const tells = await node.call('eth_getBlockByNumber', 'safe', false).then(parseBlock, () => null);
  const otherwise = `${redactedAddress(url)} does not tell the safe head of its chain.`;
  const advice = `Name another RPC address of chain ${rail.chainId}, or set ${setting} to a number of blocks.`;
  return checkThat(
    tells !== null,
    checkName(rail),
    `${redactedAddress(url)} tells the safe head of its chain.`,
    otherwise,
    advice,
  );
}

/** A development chain makes blocks only when there is something to do, so an old one says nothing there. */
function checkClock(rail: Rail, block: string, timestamp: number, settings: Settings): Check {
  const ahead = timestamp - Math.floor(clockOf(settings).now() / SECOND_MS);
  const [sync, name] = ["Set this machine's clock by NTP.", checkName(rail)];
  if (ahead > AHEAD_SECONDS_MAX)
    return failedCheck(name, `${block} is ${ahead} seconds ahead of this machine's clock.`, sync);
  if (settings.chain !== 'dev' && -ahead > BEHIND_SECONDS_MAX)
    return failedCheck(
      name,
      `${block} is its newest, and ${-ahead} seconds old: it stands still, or the clock is ahead.`,
      sync,
    );
  return passedCheck(name, `${block} agrees with this machine's clock.`);
}

async function checkToken(rail: Rail, urls: readonly string[], key: string): Promise<Check[]> {
  const found = (await new EthersChain(rail, urls, key).domainSeparator()).toLowerCase();
  const same = found === expectedDomainSeparator(rail).toLowerCase();
  const otherwise = `The token at ${rail.asset} has the domain separator ${found}, which is another one.`;
  const advice = 'No signature for this rail can be right: do not offer it until the token is known again.';
  return [checkThat(same, checkName(rail), `${rail.token} is the token that is signed for.`, otherwise, advice)];
}

async function checkRelayer(rail: Rail, url: string, relayer: string): Promise<Check[]> {
  const answer = (await new RpcAddress(url, TIMEOUT_MS).call('eth_getBalance', relayer, 'latest')) as string;
  const wei = BigInt(answer);
  const has = `The relayer ${relayer} has ${formatEther(wei)} of the chain's coin`;
  const advice = `Send coin to ${relayer} on chain ${rail.chainId}: it pays for every transaction.`;
  return [checkThat(wei >= RELAYER_WEI_MIN, checkName(rail), `${has}.`, `${has}, which is too little.`, advice)];
}
