import { mapMembers } from '#libs/kernel/map-members.js';
import { join } from 'node:path';
import { DEV_SERVICE_WALLET } from '#libs/payments/devchain/accounts.js';
import { DevChain } from '#libs/payments/devchain/dev-chain.js';
import type { Chain, Rail } from '#libs/payments/chain.port.js';
import { KnownEscrowRails, type EscrowRails } from '#libs/payments/escrow-rails.js';
import { EthersChain } from '#libs/payments/ethers.chain.js';
import { FacilitatorChain } from '#libs/payments/facilitator.chain.js';
import { Facilitator } from '#libs/payments/facilitator.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import { configuredRails } from './configured-rails.js';
import { accountKeys, readFacilitatorHeaders } from './key-files.js';
import type { Settings } from './settings.js';

/** One `Chain` per rail and relayer account, and the development chain if the service runs one. */
export interface Chains {
  readonly chains: readonly Chain[];
  readonly settings: PaymentSettings;
  readonly escrowRails: EscrowRails;
  readonly dev: DevChain | null;
  /** RPC addresses by the short names of the chains. */
  readonly rpc: { readonly [short: string]: readonly string[] };
}

export async function openChains(
  settings: Settings,
  offsetMs: number,
  warn: (sentence: string) => void,
): Promise<Chains> {
  const dev = settings.chain === 'dev' ? await startDevChain(settings, offsetMs, warn) : null;
  const rpc: { readonly [short: string]: readonly string[] } = dev
    ? mapMembers(dev.rpc, url => [url])
    : { base: settings.baseRpc, robinhood: settings.robinhoodRpc };
  const rails = configuredRails(settings);
  const chains = rails.flatMap(rail => openRail(rail, rpc[rail.short]!, settings));
  const wallet = settings.serviceWallet ?? DEV_SERVICE_WALLET;
  const { baseEscrow, chain } = settings;
  const hasNoEscrow = baseEscrow === 'off' || chain === 'facilitator';
  const escrowRails = await KnownEscrowRails.check(chains, hasNoEscrow ? null : baseEscrow, warn);
  return { chains, settings: new PaymentSettings(rails, wallet, dev !== null), escrowRails, dev, rpc };
}

function openRail(rail: Rail, urls: readonly string[], settings: Settings): Chain[] {
  if (settings.chain === 'facilitator') return [new FacilitatorChain(rail, urls, openFacilitator(settings))];
  return accountKeys(settings).map(key => new EthersChain(rail, urls, key));
}

export const openFacilitator = ({ facilitatorUrl, facilitatorHeadersFile }: Settings): Facilitator =>
  new Facilitator({
    url: facilitatorUrl!,
    headers: facilitatorHeadersFile === null ? {} : readFacilitatorHeaders(facilitatorHeadersFile),
  });

function startDevChain(
  { dataDir, devChainPorts, eventLog }: Settings,
  offsetMs: number,
  warn: (sentence: string) => void,
) {
  // Two folders with embedded logs are two services. Those with a shared log server may be the same service.
  const isShared = eventLog !== 'sqlite';
  return DevChain.start({ folder: join(dataDir, 'chain'), ports: devChainPorts, offsetMs, isShared, warn });
}
