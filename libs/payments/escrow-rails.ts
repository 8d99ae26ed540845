import type { EscrowVersion } from '#libs/kernel/escrow-version.js';

/** Rails that have an escrow. */
export abstract class EscrowRails {
  /** Version of the contracts that new escrows of the rail use; null without an escrow. */
  abstract versionOn(rail: string): EscrowVersion | null;
}

/** The only rail with known addresses of the contracts. */
const ESCROW_RAIL = 'usdc-base';

/** Answers from the addresses that are known for a rail. */
export class KnownEscrowRails extends EscrowRails {
  constructor(private readonly version: EscrowVersion | null = 'v1.1') {
    super();
  }

  versionOn(rail: string): EscrowVersion | null {
    return rail === ESCROW_RAIL ? this.version : null;
  }
}
