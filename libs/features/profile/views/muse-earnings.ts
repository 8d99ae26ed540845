import { formatUsdAmount } from '#libs/kernel/money.js';
import type { MuseDocument } from './muses.js';

/** `amount` is in the smallest units of the token. */
interface Wage {
  readonly token: string;
  readonly amount: string;
}

export function countWage(muse: MuseDocument, { token, amount }: Wage) {
  const earned = muse.earned[token] ?? { count: 0, amount: '0' };
  const sum = { count: earned.count + 1, amount: String(BigInt(earned.amount) + BigInt(amount)) };
  return { ...muse, earned: { ...muse.earned, [token]: sum } };
}

export function uncountWage(muse: MuseDocument, { token, amount }: Wage) {
  const { [token]: earned, ...others } = muse.earned;
  if (!earned || earned.count === 1) return { ...muse, earned: others };
  const rest = { count: earned.count - 1, amount: String(BigInt(earned.amount) - BigInt(amount)) };
  return { ...muse, earned: { ...others, [token]: rest } };
}

export function earnedOf({ earned }: Pick<MuseDocument, 'earned'>) {
  return Object.entries(earned).map(([token, { count, amount }]) => ({
    token: token as 'USDC' | 'USDG',
    count,
    usd: formatUsdAmount(BigInt(amount)),
  }));
}
