export const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Tokens of wages and fees. A further token needs a new version of every command that accepts it. */
export const TOKEN_CONTRACTS = {
  USDG: '0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168',
  USDC: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
} as const;

const UNSPENDABLE_ADDRESSES: ReadonlySet<string> = new Set(
  [`0x${'0'.repeat(40)}`, ...Object.values(TOKEN_CONTRACTS)].map(address => address.toLowerCase()),
);

/** Money sent to the zero address or a token contract is lost. */
export const isUnspendableAddress = (address: string): boolean => UNSPENDABLE_ADDRESSES.has(address.toLowerCase());
