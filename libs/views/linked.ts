import { FIND_MAX } from '#libs/documents/range.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { Endorsements } from './endorsements.js';
import { type MuseDocument, Muses } from './muses.js';

type Earned = MuseDocument['earned'];

/** What a muse has worked, earned and was endorsed for, with what counts for it of an earlier identity. */
function together(muse: MuseDocument, earlier: MuseDocument): MuseDocument {
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
    earned: sumOf(muse.earned, earlier.earned),
  };
}

function sumOf(one: Earned, other: Earned): Earned {
  const sum = (token: string) => {
    const [a, b] = [one[token] ?? { count: 0, amount: '0' }, other[token] ?? { count: 0, amount: '0' }];
    return { count: a.count + b.count, amount: String(BigInt(a.amount) + BigInt(b.amount)) };
  };
  return Object.fromEntries(Object.keys({ ...one, ...other }).map(token => [token, sum(token)]));
}

/** Muses as every page and the credential count them: an earlier identity counts for who it was linked to. */
export async function withEarlier(models: ReadModels, muses: readonly MuseDocument[]): Promise<MuseDocument[]> {
  const ids = muses.flatMap(({ earlier }) => earlier ?? []);
  if (ids.length === 0) return [...muses];
  const found = new Map((await models.of(Muses).getMany([...new Set(ids)])).map(({ id, body }) => [id, body]));
  return muses.map(muse => {
    const earlier = found.get(muse.earlier ?? '');
    return earlier ? together(muse, earlier) : muse;
  });
}

/** One muse as its own page and its credential count it: with nothing that it and its earlier identity said of each other. */
export async function wholeOf(models: ReadModels, muse: MuseDocument): Promise<MuseDocument> {
  const [whole] = (await withEarlier(models, [muse])) as [MuseDocument];
  if (!muse.earlier) return whole;
  const pairs = [
    [muse.muse_id, muse.earlier],
    [muse.earlier, muse.muse_id],
  ] as const;
  const ofPair = (equals: (typeof pairs)[number]) =>
    models.of(Endorsements).find({ index: 'byPair', equals, order: 'asc', limit: FIND_MAX });
  const ofEachOther = (await Promise.all(pairs.map(ofPair))).flat();
  const { count, cited } = whole.endorsements;
  const citedOfEachOther = ofEachOther.filter(({ body }) => body.hire !== null).length;
  return { ...whole, endorsements: { count: count - ofEachOther.length, cited: cited - citedOfEachOther } };
}

/** What others say: without what those who count as one said of each other. */
export const byOthers = <T extends { readonly from: string }>(said: readonly T[], counted: readonly string[]): T[] =>
  said.filter(({ from }) => !counted.includes(from));

/** The muses whose work counts as that of one. */
export const countedFor = ({ muse_id, earlier }: MuseDocument): string[] =>
  earlier === null ? [muse_id] : [muse_id, earlier];
