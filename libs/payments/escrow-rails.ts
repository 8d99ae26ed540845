import type { EscrowVersion } from '#libs/kernel/escrow-version.js';
import { firstChainOfEachRail } from './account-selection.js';
import type { Chain } from './chain.port.js';
import { COLLECTOR, ESCROW, PAYMENT_INFO_TYPEHASH } from './escrow-abi.js';
import { ESCROW_CONTRACTS } from './escrow-contracts.js';
import { equalsIgnoringCase } from './scheme.js';

/** Rails that have an escrow. */
export abstract class EscrowRails {
  /** Version of the contracts that new escrows of the rail use; null without an escrow. */
  abstract versionOn(rail: string): EscrowVersion | null;
}

/** The only rail with known addresses of the contracts. */
const ESCROW_RAIL = 'usdc-base';

/** Rails with known addresses of the contracts, which a start checks. */
export class KnownEscrowRails extends EscrowRails {
  constructor(private readonly version: EscrowVersion | null = 'v1.1') {
    super();
  }

  /** Warns if the rail has no escrow although the settings want one. */
  static async check(
    chains: readonly Chain[],
    version: EscrowVersion | null,
    warn: (sentence: string) => void,
  ): Promise<KnownEscrowRails> {
    const chain = firstChainOfEachRail(chains).find(({ rail }) => rail.name === ESCROW_RAIL);
    if (!chain || version === null) return new KnownEscrowRails(null);
    const fault = await findEscrowFault(chain, version).catch((error: Error) => error.message);
    if (fault !== null) warn(`${chain.rail.title} has no escrow: ${fault}`);
    return new KnownEscrowRails(fault === null ? version : null);
  }

  versionOn(rail: string): EscrowVersion | null {
    return rail === ESCROW_RAIL ? this.version : null;
  }
}

/** For processes without chains. */
export const NO_ESCROW: EscrowRails = { versionOn: () => null };

const PAYMENT_COLLECTOR = 0n;

/** Says why the contracts are not those of the version; null if they are. */
export async function findEscrowFault(chain: Chain, version: EscrowVersion): Promise<string | null> {
  const { escrow, collector } = ESCROW_CONTRACTS[version];
  const { results } = await chain.view([
    { to: escrow, data: ESCROW.encodeFunctionData('PAYMENT_INFO_TYPEHASH') },
    { to: collector, data: COLLECTOR.encodeFunctionData('authCaptureEscrow') },
    { to: collector, data: COLLECTOR.encodeFunctionData('collectorType') },
  ]);
  const [typehash, escrowOfCollector, collectorType] = results;
  if (!typehash || typehash === '0x') return `there is no contract at ${escrow}.`;
  if (!equalsIgnoringCase(typehash, PAYMENT_INFO_TYPEHASH)) return `${escrow} hashes other terms of a payment.`;
  const isOfEscrow = escrowOfCollector?.toLowerCase().endsWith(escrow.slice(2).toLowerCase()) ?? false;
  if (!isOfEscrow) return `${collector} is not a collector of ${escrow}.`;
  if (!collectorType || collectorType === '0x' || BigInt(collectorType) !== PAYMENT_COLLECTOR)
    return `${collector} does not collect payments.`;
  return null;
}
