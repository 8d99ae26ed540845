import { parseUsdAmount, formatUsdAmount } from '#libs/kernel/money.js';
import { PaymentDeclined } from './errors.js';
import type { PaymentGuard, Price } from './payer.js';

export interface SpendingCap {
  /** The most that one payment may be, in USD as a decimal string. */
  readonly perPayment: string;
  /** The most that this client signs for in all, also where the service says that a payment was refused. */
  readonly total: string;
}

/** What a client spends unless it is told otherwise: as little as the usual x402 clients. */
export const SPENDING_CAP: SpendingCap = { perPayment: '1', total: '10' };

/**
 * Counts what this client signed for, and refuses what goes above its caps. What is signed counts for good: whoever has
 * an authorization can take the money until it expires, and of a service that calls it refused only the chain could
 * say whether that is true.
 */
export class SpendingGuard implements PaymentGuard {
  private readonly perPayment: bigint;
  private readonly total: bigint;
  private committed = 0n;

  constructor(cap: SpendingCap) {
    this.perPayment = parseUsd('perPayment', cap.perPayment);
    this.total = parseUsd('total', cap.total);
  }

  /** Throws `PaymentDeclined`; nothing is to be signed then. */
  commit({ amount }: Pick<Price, 'amount'>): void {
    const price = `This costs ${formatUsdAmount(amount)} USD`;
    if (amount > this.perPayment) {
      throw aboveCapError(
        `${price}, above the cap of ${formatUsdAmount(this.perPayment)} USD for one payment. Raise spendingCapUsd.perPayment.`,
      );
    }
    if (this.committed + amount > this.total) {
      throw aboveCapError(
        `${price}; with the ${formatUsdAmount(this.committed)} USD signed for so far that is above the cap of ${formatUsdAmount(this.total)} USD in all. Raise spendingCapUsd.total.`,
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
  if (amount === null) throw new RangeError(`spendingCapUsd.${name} must be a decimal number with at most 6 places.`);
  return amount;
}
