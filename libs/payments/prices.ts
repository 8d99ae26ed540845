import { DAY_MS } from '#libs/kernel/clock.js';
import { parseUsdAmount } from '#libs/kernel/money.js';
import type { PaymentSettings } from './payment.settings.js';
import type { Price } from './purchase.js';

const toPrice = (usd: string) => ({ usd, units: parseUsdAmount(usd)! });

/** Fixed prices. The fee of a job is `calculateFee` of `libs/kernel/money.ts`. */
export const PRICES = {
  verify: toPrice('1.000000'),
  /** Same price as `verify`: one purchase covers both. */
  identity: toPrice('1.000000'),
  promote: toPrice('5.000000'),
  message: toPrice('0.250000'),
} as const;

const PROMOTION_MS = DAY_MS;

export function promotionPrice({ rails, serviceWallet }: PaymentSettings): Price {
  const description = 'Puts a post or a posted job in the first slot for 24 hours';
  return { path: '/api/promote', description, amount: PRICES.promote.units, payTo: serviceWallet, rails };
}

export const promotionEnd = (currentEnd: number | null, at: number) => Math.max(currentEnd ?? 0, at) + PROMOTION_MS;
