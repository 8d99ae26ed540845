import { parseUsdAmount } from '#libs/kernel/money.js';

const toPrice = (usd: string) => ({ usd, units: parseUsdAmount(usd)! });

/** What costs the same for everybody: USD with 6 places, and the same in smallest units. */
export const PRICES = {
  verify: toPrice('1.000000'),
  /** That of a verification, which it is one with. */
  identity: toPrice('1.000000'),
  promote: toPrice('5.000000'),
  /** Goes to the recipient. */
  message: toPrice('0.250000'),
} as const;
