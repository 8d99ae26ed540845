import { RAILS } from '#libs/payments/rails.js';
import { resolveCallAddress, noServiceMessage } from '#libs/setup/address-file.js';
import type { Settings } from '#libs/setup/settings.js';
import { UsageError } from '#libs/terminal/command-line.js';
import { parseUrl } from '#libs/kernel/url.js';

export const CONFIGURED = 'configured';

/** Addresses by the chain's short name, the configured ones, or null for no lookup. */
export type RpcSelection = ReadonlyMap<string, string> | typeof CONFIGURED | null;

const CHAINS: readonly string[] = RAILS.map(({ short }) => short);
const isHttpAddress = (text: string) => /^https?:$/.test(parseUrl(text)?.protocol ?? '');

/**
 * Reads `base=http://...,robinhood=http://...`. Throws a `UsageError` that does not repeat an address, which may hold
 * a key.
 */
export function parseRpcAddresses(texts: readonly string[]): ReadonlyMap<string, string> {
  const pairs = texts
    .flatMap(text => text.split(','))
    .filter(part => part !== '')
    .map(parsePair);
  const duplicate = pairs.find(([chain], at) => pairs.findIndex(([other]) => other === chain) !== at);
  if (duplicate) throw new UsageError(`--rpc names ${duplicate[0]} twice.`);
  return new Map(pairs);
}

function parsePair(part: string): readonly [string, string] {
  const at = part.indexOf('=');
  const [chain, address] = [part.slice(0, at), part.slice(at + 1)];
  if (at < 1 || !isHttpAddress(address))
    throw new UsageError('--rpc must be <chain>=<address>, comma separated, with http or https addresses.');
  if (!CHAINS.includes(chain))
    throw new UsageError(`--rpc: unknown chain ${chain}. Chains are ${CHAINS.join(' and ')}.`);
  return [chain, address];
}

/** Throws if the configured addresses are selected and there are none. */
export async function resolveRpc(
  selection: RpcSelection,
  settings: Settings,
): Promise<ReadonlyMap<string, string> | null> {
  if (selection !== CONFIGURED) return selection;
  const addresses = settings.chain === 'dev' ? await devChainAddresses(settings) : settingsAddresses(settings);
  if (addresses.size === 0) throw new Error('--rpc: no address is configured. Use --rpc <chain>=<address>.');
  return addresses;
}

function settingsAddresses({ baseRpc, robinhoodRpc }: Settings): Map<string, string> {
  const addresses = { base: baseRpc[0], robinhood: robinhoodRpc[0] };
  return new Map(Object.entries(addresses).filter((pair): pair is [string, string] => pair[1] !== undefined));
}

/** Development nodes get their ports at each start, so the addresses come from the running service. */
async function devChainAddresses(settings: Settings): Promise<Map<string, string>> {
  const callAddress = resolveCallAddress(settings);
  try {
    const response = await fetch(`${callAddress.address}/api/x402`);
    const { dev } = (await response.json()) as {
      readonly dev?: { readonly rpc: { readonly [chain: string]: string } };
    };
    return new Map(Object.entries(dev?.rpc ?? {}));
  } catch (cause) {
    throw new Error(
      `--rpc: only a running service knows the addresses of its development chain. ${noServiceMessage(callAddress)}`,
      {
        cause,
      },
    );
  }
}
