import { DAY_MS } from '#libs/kernel/clock.js';
import type { PaymentSettings } from './payment.settings.js';
import type { Price } from './purchase.js';

/** 5.000000 USD: the price of a promotion. */
export const PROMOTE_UNITS = 5_000_000n;
export const PROMOTE_USD = '5.000000';

const LASTS_MS = DAY_MS;

export function promotionPrice({ rails, serviceWallet }: PaymentSettings): Price {
  const description = 'Puts a post or a posted job in the first slot for 24 hours';
  return { path: '/api/promote', description, amount: PROMOTE_UNITS, payTo: serviceWallet, rails };
}

/** Until when a promotion lasts that is paid for at a time, behind what is paid for already. Unix ms. */
export const promotedUntil = (already: number | null, at: number) => Math.max(already ?? 0, at) + LASTS_MS;
