import { unitsOfUsd } from '#libs/kernel/money.js';

const priced = (usd: string) => ({ usd, units: unitsOfUsd(usd)! });

/** What costs the same for everybody: USD with 6 places, and the same in smallest units. */
export const PRICES = {
  verify: priced('1.000000'),
  /** That of a verification, which it is one with. */
  identity: priced('1.000000'),
  promote: priced('5.000000'),
  /** Goes to the recipient. */
  message: priced('0.250000'),
} as const;
