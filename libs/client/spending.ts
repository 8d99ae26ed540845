import { unitsOfUsd, usdOfUnits } from '#libs/kernel/money.js';
import { PaymentDeclined } from './errors.js';

export interface SpendingCap {
  /** The most that one payment may be, in USD as a decimal string. */
  readonly perPayment: string;
  /** The most that this client's payments may come to together. */
  readonly total: string;
}

/** What a client spends unless it is told otherwise: as little as the usual x402 clients. */
export const SPENDING_CAP: SpendingCap = { perPayment: '1', total: '10' };

/** One signed authorization: whoever has it can take this much until it expires. */
export interface Commitment {
  readonly units: bigint;
  /** Unix seconds. */
  readonly validBefore: number;
  /** The service has said that it can never settle. That is trusted for good only after it has expired. */
  refused: boolean;
}

/** Counts what this client signed for, and refuses what goes above its caps. */
export class Spending {
  private readonly perPayment: bigint;
  private readonly total: bigint;
  private readonly commitments: Commitment[] = [];

  constructor(cap: SpendingCap) {
    this.perPayment = units('perPayment', cap.perPayment);
    this.total = units('total', cap.total);
  }

  /** Throws `PaymentDeclined`; nothing is to be signed then. */
  commit(amount: bigint, validBefore: number, nowSeconds: number): Commitment {
    const committed = this.committed(nowSeconds);
    const price = `This costs ${usdOfUnits(amount)} USD`;
    if (amount > this.perPayment) {
      throw declined(
        `${price}, above the cap of ${usdOfUnits(this.perPayment)} USD for one payment. Raise spendingCapUsd.perPayment.`,
      );
    }
    if (committed + amount > this.total) {
      throw declined(
        `${price}; with the ${usdOfUnits(committed)} USD signed for so far that is above the cap of ${usdOfUnits(this.total)} USD in all. Raise spendingCapUsd.total.`,
      );
    }
    const commitment = { units: amount, validBefore, refused: false };
    this.commitments.push(commitment);
    return commitment;
  }

  /** Units that were or may still be taken. */
  committed(nowSeconds: number): bigint {
    const open = this.commitments.filter(({ refused, validBefore }) => !refused || nowSeconds <= validBefore);
    return open.reduce((sum, { units }) => sum + units, 0n);
  }
}

function declined(message: string): PaymentDeclined {
  return new PaymentDeclined('above_cap', message);
}

function units(name: string, usd: string): bigint {
  const amount = unitsOfUsd(usd);
  if (amount === null) throw new RangeError(`spendingCapUsd.${name} must be a decimal number with at most 6 places.`);
  return amount;
}
