/** Versions of the contracts of the Base Commerce Payments Protocol. */
export const ESCROW_VERSIONS = ['v1.1', 'v1.0'] as const;
export type EscrowVersion = (typeof ESCROW_VERSIONS)[number];
