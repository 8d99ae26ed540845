import type { ReadModels } from '#libs/documents/read-models.js';
import { type EndorsementCountDocument, EndorsementCounts, endorsementCountKey } from './endorsement-counts.js';
import { type MuseDocument, Muses } from './muses.js';

type Earned = MuseDocument['earned'];

/** What a muse has worked, earned and was endorsed for, with what counts for it of an earlier identity. */
function mergeMuses(muse: MuseDocument, earlier: MuseDocument): MuseDocument {
  const { hires, endorsements, reviews, last_delivered_at } = earlier;
  const own = muse.reviews ?? { count: 0, positive: 0 };
  return {
    ...muse,
    hires: muse.hires + hires,
    endorsements: {
      count: muse.endorsements.count + endorsements.count,
      cited: muse.endorsements.cited + endorsements.cited,
    },
    reviews: reviews ? { count: own.count + reviews.count, positive: own.positive + reviews.positive } : muse.reviews,
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

/** Muses as every page and the credential count them: an earlier identity counts for who it was linked to. */
export async function mergeEarlier(models: ReadModels, muses: readonly MuseDocument[]): Promise<MuseDocument[]> {
  const ids = muses.flatMap(({ earlier }) => earlier ?? []);
  if (ids.length === 0) return [...muses];
  const found = new Map((await models.of(Muses).getMany([...new Set(ids)])).map(({ id, body }) => [id, body]));
  return muses.map(muse => {
    const earlier = found.get(muse.earlier ?? '');
    return earlier ? mergeMuses(muse, earlier) : muse;
  });
}

/** One muse as its own page and its credential count it: with nothing that it and its earlier identity said of each other. */
export async function loadMerged(models: ReadModels, muse: MuseDocument): Promise<MuseDocument> {
  const { muse_id, earlier } = muse;
  if (!earlier) return muse;
  const [[whole], said] = await Promise.all([
    mergeEarlier(models, [muse]),
    loadMutualEndorsements(models, [[muse_id, earlier]]),
  ]);
  const { count, cited } = whole!.endorsements;
  const ofEachOther = said.get(muse_id)!;
  return { ...whole!, endorsements: { count: count - ofEachOther.count, cited: cited - ofEachOther.cited } };
}

/**
 * How many endorsements two who count as one have of each other, by the first of the two. Of `FIND_MAX` / 2 such pairs at
 * most.
 */
export async function loadMutualEndorsements(
  models: ReadModels,
  pairs: readonly (readonly [museId: string, earlier: string])[],
): Promise<ReadonlyMap<string, EndorsementCountDocument>> {
  const keysOf = (one: string, other: string) => [endorsementCountKey(one, other), endorsementCountKey(other, one)];
  const ids = pairs.flatMap(([one, other]) => keysOf(one, other));
  const said = new Map((await models.of(EndorsementCounts).getMany(ids)).map(({ id, body }) => [id, body]));
  return new Map(
    pairs.map(([one, other]) => {
      const both = keysOf(one, other).flatMap(key => said.get(key) ?? []);
      return [one, { count: sum(both.map(({ count }) => count)), cited: sum(both.map(({ cited }) => cited)) }];
    }),
  );
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

/** What others say: without what those who count as one said of each other. */
export const excludeFrom = <T extends { readonly from: string }>(said: readonly T[], counted: readonly string[]): T[] =>
  said.filter(({ from }) => !counted.includes(from));

/** The muses whose work counts as that of one. */
export const linkedIds = ({ muse_id, earlier }: MuseDocument): string[] =>
  earlier === null ? [muse_id] : [muse_id, earlier];
