import type { Rail } from '#libs/payments/chain.port.js';
import { RAILS } from '#libs/payments/rails.js';
import type { Settings } from './settings.js';

/** Returns both rails with `CHAIN=dev`, else the rails with an RPC address. */
export function configuredRails(settings: Settings): readonly Rail[] {
  const { chain, baseRpc, robinhoodRpc, baseConfirmations, robinhoodConfirmations } = settings;
  const addresses = { base: baseRpc, robinhood: robinhoodRpc };
  const confirmations = { base: baseConfirmations, robinhood: robinhoodConfirmations };
  const finality = { base: settings.baseFinality, robinhood: settings.robinhoodFinality };
  return RAILS.filter(({ short }) => chain === 'dev' || addresses[short].length > 0).map(rail => ({
    ...rail,
    confirmations: confirmations[rail.short],
    finality: finality[rail.short] ?? (chain === 'dev' ? 1 : 'safe'),
  }));
}

/** Nodes for browsers by the short names of their chains, including rails that are no longer offered. */
export function browserRpcAddresses({ baseBrowserRpc, robinhoodBrowserRpc }: Settings): {
  readonly [short: string]: string;
} {
  const addresses = Object.entries({ base: baseBrowserRpc, robinhood: robinhoodBrowserRpc });
  return Object.fromEntries(addresses.filter((entry): entry is [string, string] => entry[1] !== null));
}
