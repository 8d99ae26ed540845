import { appendFileSync, readFileSync } from 'node:fs';
import { PaymentDeclined, type PaymentSigner } from '#libs/client/index.js';
import { formatUsdAmount } from '#libs/kernel/money.js';

const FILE_MODE = 0o600;

/**
 * What an identity has signed for with all its commands, a line each in millionths of a dollar. A line is written before
 * it is counted, so that of two commands at one moment neither overlooks the other.
 */
export class SpentFile {
  constructor(readonly path: string) {}

  /** In millionths of a dollar. */
  total(): bigint {
    return this.lines().reduce((sum, line) => sum + BigInt(line), 0n);
  }

  /** Throws `PaymentDeclined` where the amount goes above the cap; then it does not count. */
  commit(amount: bigint, cap: bigint): void {
    this.append(amount);
    const total = this.total();
    if (total <= cap) return;
    this.append(-amount);
    const [price, before, most] = [amount, total - amount, cap].map(formatUsdAmount);
    throw new PaymentDeclined(
      'above_cap',
      `This costs ${price} USD; with the ${before} USD signed for so far that is above the cap of ${most} USD in all. Raise spendingCapUsd.total.`,
    );
  }

  private append(amount: bigint): void {
    appendFileSync(this.path, `${amount}\n`, { mode: FILE_MODE, flush: true });
  }

  private lines(): string[] {
    try {
      return readFileSync(this.path, 'utf8').split('\n').filter(Boolean);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }
}

/** A wallet whose cap holds for all commands together. */
export const capWallet = (wallet: PaymentSigner, spent: SpentFile, cap: bigint): PaymentSigner => ({
  getAddress: () => wallet.getAddress(),
  signTypedData: async (domain, types, value) => {
    spent.commit(BigInt(value['value'] as string), cap);
    return wallet.signTypedData(domain, types, value);
  },
});
