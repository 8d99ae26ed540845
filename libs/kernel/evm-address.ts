/** The address of an EVM account, its letters in any case. */
export const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** The contracts of the tokens that wages and fees are paid in. One more is a new version of every verb that asks. */
export const TOKEN_CONTRACTS = {
  USDG: '0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168',
  USDC: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
} as const;

const UNSPENDABLE_ADDRESSES: ReadonlySet<string> = new Set(
  [`0x${'0'.repeat(40)}`, ...Object.values(TOKEN_CONTRACTS)].map(address => address.toLowerCase()),
);

/** Whether what is paid to an address is lost: nobody has its key, and a token's contract gives nothing back. */
export const isUnspendableAddress = (address: string): boolean => UNSPENDABLE_ADDRESSES.has(address.toLowerCase());
