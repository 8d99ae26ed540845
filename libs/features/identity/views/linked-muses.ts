import { getById } from '#libs/documents/get-many.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { type MuseDocument, Muses } from './muses.js';

type Earned = MuseDocument['earned'];

/** Adds the work, earnings and endorsements of an earlier identity to a muse. */
function mergeMuses(muse: MuseDocument, earlier: MuseDocument): MuseDocument {
  const { hires, endorsements, reviews, last_delivered_at } = earlier;
  const ownReviews = muse.reviews ?? { count: 0, positive: 0 };
  return {
    ...muse,
    hires: muse.hires + hires,
    endorsements: {
      count: muse.endorsements.count + endorsements.count,
      cited: muse.endorsements.cited + endorsements.cited,
    },
    reviews: reviews
      ? { count: ownReviews.count + reviews.count, positive: ownReviews.positive + reviews.positive }
      : muse.reviews,
    last_delivered_at: Math.max(muse.last_delivered_at ?? 0, last_delivered_at ?? 0) || null,
    earned: addEarnings(muse.earned, earlier.earned),
  };
}

function addEarnings(one: Earned, other: Earned): Earned {
  const sum = (token: string) => {
    const [a, b] = [one[token] ?? { count: 0, amount: '0' }, other[token] ?? { count: 0, amount: '0' }];
    return { count: a.count + b.count, amount: String(BigInt(a.amount) + BigInt(b.amount)) };
  };
  return Object.fromEntries(Object.keys({ ...one, ...other }).map(token => [token, sum(token)]));
}

/** Merges each muse with its earlier identity, as pages and credentials count them. */
export async function mergeEarlier(models: ReadModels, muses: readonly MuseDocument[]): Promise<MuseDocument[]> {
  const ids = muses.flatMap(({ earlier }) => earlier ?? []);
  const earlierById = await getById(models.of(Muses), ids);
  return muses.map(muse => {
    const earlier = earlierById.get(muse.earlier ?? '');
    return earlier ? mergeMuses(muse, earlier) : muse;
  });
}

/** Drops what linked muses said of each other. */
export const excludeFrom = <T extends { readonly from: string }>(all: readonly T[], authors: readonly string[]): T[] =>
  all.filter(({ from }) => !authors.includes(from));

export const linkedIds = ({ muse_id, earlier }: MuseDocument): string[] =>
  earlier === null ? [muse_id] : [muse_id, earlier];
