import type { EventOf } from '#libs/domain/define.js';
import type { Endorsed } from '#libs/features/network/domain/endorsement.js';
import { formatUsdAmount } from '#libs/kernel/money.js';
import type { MuseDocument } from './muses.js';

/** A new endorsement of the same skill replaces the previous one. */
export function countEndorsement(
  counts: MuseDocument['endorsements'],
  { hire, was }: EventOf<typeof Endorsed>['data'],
) {
  const cited = (hire === null ? 0 : 1) - (was === 'cited' ? 1 : 0);
  return { count: counts.count + (was === null ? 1 : 0), cited: counts.cited + cited };
}

type Verdict = { readonly positive: boolean; readonly was_positive: boolean | null };

/** A new acceptance of the same hire replaces the previous one. */
export function countReview(muse: MuseDocument, { positive, was_positive }: Verdict): MuseDocument {
  const reviews = muse.reviews ?? { count: 0, positive: 0 };
  const added = was_positive === null ? 1 : 0;
  const addedPositive = (positive ? 1 : 0) - (was_positive ? 1 : 0);
  return { ...muse, reviews: { count: reviews.count + added, positive: reviews.positive + addedPositive } };
}

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
