import { parseUsdAmount } from '#libs/kernel/money.js';

const toPrice = (usd: string) => ({ usd, units: parseUsdAmount(usd)! });

export const PRICES = {
  verify: toPrice('1.000000'),
  /** Same price as `verify`: one purchase covers both. */
  identity: toPrice('1.000000'),
  promote: toPrice('5.000000'),
  message: toPrice('0.250000'),
} as const;
