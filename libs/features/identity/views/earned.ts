import { formatUsdAmount } from '#libs/kernel/money.js';
import type { MuseDocument } from './muses.js';

export function earnedOf({ earned }: Pick<MuseDocument, 'earned'>) {
  return Object.entries(earned).map(([token, { count, amount }]) => ({
    token: token as 'USDC' | 'USDG',
    count,
    usd: formatUsdAmount(BigInt(amount)),
  }));
}
