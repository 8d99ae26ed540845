import type { EventOf } from '#libs/domain/define.js';
import type { Endorsed } from '#libs/features/network/domain/endorsement.js';
import type { MuseDocument } from './muses.js';

/** One for each muse and skill, by its newest. */
export function countEndorsement(so: MuseDocument['endorsements'], { hire, was }: EventOf<typeof Endorsed>['data']) {
  const cited = (hire === null ? 0 : 1) - (was === 'cited' ? 1 : 0);
  return { count: so.count + (was === null ? 1 : 0), cited: so.cited + cited };
}

type Verdict = { readonly positive: boolean; readonly was_positive: boolean | null };

/** One review for each hire, by its newest acceptance. */
export function countReview(muse: MuseDocument, { positive, was_positive }: Verdict): MuseDocument {
  const so = muse.reviews ?? { count: 0, positive: 0 };
  const first = was_positive === null ? 1 : 0;
  const changed = (positive ? 1 : 0) - (was_positive ? 1 : 0);
  return { ...muse, reviews: { count: so.count + first, positive: so.positive + changed } };
}
