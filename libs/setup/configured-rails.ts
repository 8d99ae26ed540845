import type { Rail } from '#libs/payments/chain.port.js';
import { RAILS } from '#libs/payments/rails.js';
import type { Settings } from './settings.js';

/** The rails that a service with these settings pays on: those of a development chain, or those with an address. */
export function configuredRails({ chain, baseRpc, robinhoodRpc }: Settings): readonly Rail[] {
  const addresses: { readonly [short: string]: readonly string[] } = { base: baseRpc, robinhood: robinhoodRpc };
  return chain === 'dev' ? RAILS : RAILS.filter(({ short }) => (addresses[short] ?? []).length > 0);
}
