import { formatUsdAmount } from '#libs/kernel/money.js';
import type { Rail } from '#libs/payments/chain.port.js';

/** Smallest units by token. */
type Sums = { readonly [token: string]: string };

interface Wage {
  readonly token: string;
  readonly amount: string;
}

export const addWage = (sums: Sums, { token, amount }: Wage) => ({
  ...sums,
  [token]: String(BigInt(sums[token] ?? '0') + BigInt(amount)),
});

export function subtractWage(sums: Sums, { token, amount }: Wage): { [token: string]: string } {
  const { [token]: sum = '0', ...others } = sums;
  const rest = BigInt(sum) - BigInt(amount);
  return rest === 0n ? others : { ...others, [token]: String(rest) };
}

export const usdSums = (sums: Sums) =>
  Object.entries(sums).map(([token, amount]) => ({
    token: token as Rail['token'],
    usd: formatUsdAmount(BigInt(amount)),
  }));
