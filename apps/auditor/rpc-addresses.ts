import { RAILS } from '#libs/payments/rails.js';
import { resolveCallAddress } from '#libs/setup/address-file.js';
import type { Settings } from '#libs/setup/settings.js';
import { UsageError } from '#libs/terminal/command-line.js';
import { noServiceMessage } from '#libs/setup/no-service-message.js';
import { parseUrl } from '#libs/kernel/url.js';

/** The addresses that the settings name. */
export const CONFIGURED = 'configured';

/** What is asked of chains: an address each by its short name, the configured ones, or nothing. */
export type RpcSelection = ReadonlyMap<string, string> | typeof CONFIGURED | null;

const CHAINS: readonly string[] = RAILS.map(({ short }) => short);
const isHttpAddress = (text: string) => /^https?:$/.test(parseUrl(text)?.protocol ?? '');

/** `base=http://...,robinhood=http://...`, several of it. Throws a `Misuse`; an address may hold a key and is not repeated. */
export function parseRpcAddresses(texts: readonly string[]): ReadonlyMap<string, string> {
  const pairs = texts
    .flatMap(text => text.split(','))
    .filter(part => part !== '')
    .map(parsePair);
  const twice = pairs.find(([chain], at) => pairs.findIndex(([other]) => other === chain) !== at);
  if (twice) throw new UsageError(`--rpc names ${twice[0]} twice.`);
  return new Map(pairs);
}

function parsePair(part: string): readonly [string, string] {
  const at = part.indexOf('=');
  const [chain, address] = [part.slice(0, at), part.slice(at + 1)];
  if (at < 1 || !isHttpAddress(address))
    throw new UsageError('--rpc must be <chain>=<address>, comma separated, with http or https addresses.');
  if (!CHAINS.includes(chain)) throw new UsageError(`--rpc: there is no chain ${chain}, only ${CHAINS.join(' and ')}.`);
  return [chain, address];
}

/** The addresses to ask. Throws a sentence where the configured ones are asked for and there are none. */
export async function resolveRpc(asked: RpcSelection, settings: Settings): Promise<ReadonlyMap<string, string> | null> {
  if (asked !== CONFIGURED) return asked;
  const found = settings.chain === 'dev' ? await devChainAddresses(settings) : settingsAddresses(settings);
  if (found.size === 0) throw new Error('--rpc: no address is configured. Say --rpc <chain>=<address>.');
  return found;
}

function settingsAddresses({ baseRpc, robinhoodRpc }: Settings): Map<string, string> {
  const first = { base: baseRpc[0], robinhood: robinhoodRpc[0] };
  return new Map(Object.entries(first).filter((pair): pair is [string, string] => pair[1] !== undefined));
}

/** The nodes of a development chain say at each start where they listen; the running service knows. */
async function devChainAddresses(settings: Settings): Promise<Map<string, string>> {
  const called = resolveCallAddress(settings);
  try {
    const response = await fetch(`${called.address}/api/x402`);
    const { dev } = (await response.json()) as {
      readonly dev?: { readonly rpc: { readonly [chain: string]: string } };
    };
    return new Map(Object.entries(dev?.rpc ?? {}));
  } catch (cause) {
    throw new Error(`--rpc: a service would say where its development chain is. ${noServiceMessage(called)}`, {
      cause,
    });
  }
}
