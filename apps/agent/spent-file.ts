import { appendFileSync } from 'node:fs';
import { PaymentDeclined, type PaymentSigner } from '#libs/client/index.js';
import { formatUsdAmount } from '#libs/kernel/money.js';
import { FILE_MODE, readOptional } from './private-files.js';

/**
 * Amounts that all commands of an identity have signed, one per line in millionths of a dollar. Amounts are written
 * before the total is read, so concurrent commands see each other.
 */
export class SpentFile {
  constructor(readonly path: string) {}

  /** In millionths of a dollar. */
  total(): bigint {
    const lines = (readOptional(this.path) ?? '').split('\n').filter(Boolean);
    return lines.reduce((sum, line) => sum + BigInt(line), 0n);
  }

  /** Throws `PaymentDeclined` if the total would exceed the cap; the amount then does not count. */
  commit(amount: bigint, cap: bigint): void {
    this.append(amount);
    const total = this.total();
    if (total <= cap) return;
    this.append(-amount);
    const [price, signed, capUsd] = [amount, total - amount, cap].map(formatUsdAmount);
    throw new PaymentDeclined(
      'above_cap',
      `This costs ${price} USD. With the ${signed} USD signed so far it exceeds the total cap of ${capUsd} USD. Raise spendingCapUsd.total.`,
    );
  }

  private append(amount: bigint): void {
    appendFileSync(this.path, `${amount}\n`, { mode: FILE_MODE, flush: true });
  }
}

/** Shares one cap between all commands. */
export const capWallet = (wallet: PaymentSigner, spent: SpentFile, cap: bigint): PaymentSigner => ({
  getAddress: () => wallet.getAddress(),
  signTypedData: async (domain, types, value) => {
    spent.commit(BigInt(value['value'] as string), cap);
    return wallet.signTypedData(domain, types, value);
  },
});
