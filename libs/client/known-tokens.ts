/** Tokens that this client pays with, as in their EIP-712 domains. Offers of other tokens are declined. */
export interface KnownToken {
  readonly rail: string;
  /** CAIP-2. */
  readonly network: string;
  readonly chainId: number;
  readonly asset: string;
  readonly name: string;
  readonly version: string;
}

/** In order of preference. Both have 6 decimals. */
export const KNOWN_TOKENS: readonly KnownToken[] = [
  {
    rail: 'usdc-base',
    network: 'eip155:8453',
    chainId: 8453,
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    name: 'USD Coin',
    version: '2',
  },
  {
    rail: 'usdg-robinhood',
    network: 'eip155:4663',
    chainId: 4663,
    asset: '0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168',
    name: 'Global Dollar',
    version: '1',
  },
];
