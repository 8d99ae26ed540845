import { formatUsdAmount } from '#libs/kernel/money.js';

export const formatUnits = (units: string | bigint): string => formatUsdAmount(BigInt(units));

/** Sum in USD. */
export const sumUnits = (amounts: readonly { readonly amount: string | bigint }[]): string =>
  formatUnits(amounts.reduce((sum, { amount }) => sum + BigInt(amount), 0n));
