import type { Rail } from '#libs/payments/chain.port.js';
import { RAILS } from '#libs/payments/rails.js';
import type { Settings } from './settings.js';

/** The rails that a service with these settings pays on: those of a development chain, or those with an address. */
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

/** The nodes that browsers may ask, by the short names of their chains: of a rail that is offered no more as well. */
export function browserRpcAddresses({ baseBrowserRpc, robinhoodBrowserRpc }: Settings): {
  readonly [short: string]: string;
} {
  const named = Object.entries({ base: baseBrowserRpc, robinhood: robinhoodBrowserRpc });
  return Object.fromEntries(named.filter((entry): entry is [string, string] => entry[1] !== null));
}
