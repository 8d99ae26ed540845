import type { EventOf } from '#libs/domain/define.js';
import type { Endorsed } from '#libs/features/network/domain/endorsement.js';
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
