/** Escrow contracts of the x402 scheme `auth-capture` that this client pays into. Offers of others are declined. */
export interface KnownEscrow {
  readonly chainId: number;
  readonly escrow: string;
  /** Collects a payment by EIP-3009. */
  readonly collector: string;
}

/** Base Commerce Payments 1.1 and 1.0. */
export const KNOWN_ESCROWS: readonly KnownEscrow[] = [
  {
    chainId: 8453,
    escrow: '0xf96815976523E00e65Be8f34cA5e64b4f41EB19c',
    collector: '0x8612dfdc421f80336cd14E8EF9cb1E765dB5ab88',
  },
  {
    chainId: 8453,
    escrow: '0xBdEA0D1bcC5966192B070Fdf62aB4EF5b4420cff',
    collector: '0x0E3dF9510de65469C4518D7843919c0b8C7A7757',
  },
];
