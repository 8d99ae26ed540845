import { DAY_MS } from '#libs/kernel/clock.js';
import type { PaymentSettings } from './payment.settings.js';
import { PRICES } from './prices.js';
import type { Price } from './purchase.js';

const PROMOTION_MS = DAY_MS;

export function promotionPrice({ rails, serviceWallet }: PaymentSettings): Price {
  const description = 'Puts a post or a posted job in the first slot for 24 hours';
  return { path: '/api/promote', description, amount: PRICES.promote.units, payTo: serviceWallet, rails };
}

export const promotionEnd = (currentEnd: number | null, at: number) => Math.max(currentEnd ?? 0, at) + PROMOTION_MS;
