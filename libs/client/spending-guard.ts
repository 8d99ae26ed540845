import { parseUsdAmount, formatUsdAmount } from '#libs/kernel/money.js';
import { PaymentDeclined } from './errors.js';
import type { PaymentGuard, Price } from './payer.js';

export interface SpendingCap {
  /** Maximum of one payment, decimal USD. */
  readonly perPayment: string;
  /** Maximum of all signed payments, including those that the service reports as refused. */
  readonly total: string;
}

/** Default caps, as low as those of common x402 clients. */
export const SPENDING_CAP: SpendingCap = { perPayment: '1', total: '10' };

/**
 * Limits what this client signs. Signed amounts stay counted: an authorization can be used until it expires, and the
 * client cannot verify a reported refusal.
 */
export class SpendingGuard implements PaymentGuard {
  private readonly perPayment: bigint;
  private readonly total: bigint;
  private committed = 0n;

  constructor(cap: SpendingCap) {
    this.perPayment = parseUsd('perPayment', cap.perPayment);
    this.total = parseUsd('total', cap.total);
  }

  /** Throws `PaymentDeclined` if a cap would be exceeded; nothing must be signed then. */
  commit({ amount }: Pick<Price, 'amount'>): void {
    const price = `This costs ${formatUsdAmount(amount)} USD`;
    if (amount > this.perPayment) {
      throw aboveCapError(
        `${price}, above the cap of ${formatUsdAmount(this.perPayment)} USD for one payment. Raise spendingCapUsd.perPayment.`,
      );
    }
    if (this.committed + amount > this.total) {
      throw aboveCapError(
        `${price}. With the ${formatUsdAmount(this.committed)} USD signed so far it exceeds the total cap of ${formatUsdAmount(this.total)} USD. Raise spendingCapUsd.total.`,
      );
    }
    this.committed += amount;
  }
}

function aboveCapError(message: string): PaymentDeclined {
  return new PaymentDeclined('above_cap', message);
}

function parseUsd(name: string, usd: string): bigint {
  const amount = parseUsdAmount(usd);
  if (amount === null)
    throw new RangeError(`spendingCapUsd.${name} must be a decimal number with at most 6 decimal places.`);
  return amount;
}
