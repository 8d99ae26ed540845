import { getById } from '#libs/documents/get-many.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { mergeEarlier } from '#libs/features/identity/views/linked-muses.js';
import type { MuseDocument } from '#libs/features/identity/views/muses.js';
import { type EndorsementCountDocument, EndorsementCounts, endorsementCountKey } from './endorsement-counts.js';

/** Merges a muse with its earlier identity, without their endorsements of each other. */
export async function loadMerged(models: ReadModels, muse: MuseDocument): Promise<MuseDocument> {
  const { muse_id, earlier } = muse;
  if (!earlier) return muse;
  const [[merged], mutual] = await Promise.all([
    mergeEarlier(models, [muse]),
    loadMutualEndorsements(models, [[muse_id, earlier]]),
  ]);
  const { count, cited } = merged!.endorsements;
  const excluded = mutual.get(muse_id)!;
  return { ...merged!, endorsements: { count: count - excluded.count, cited: cited - excluded.cited } };
}

/** Counts the endorsements between linked muses, by the first of each pair. Takes at most `FIND_MAX` / 2 pairs. */
export async function loadMutualEndorsements(
  models: ReadModels,
  pairs: readonly (readonly [museId: string, earlier: string])[],
): Promise<ReadonlyMap<string, EndorsementCountDocument>> {
  const keysOf = (one: string, other: string) => [endorsementCountKey(one, other), endorsementCountKey(other, one)];
  const ids = pairs.flatMap(([one, other]) => keysOf(one, other));
  const countsByKey = await getById(models.of(EndorsementCounts), ids);
  return new Map(
    pairs.map(([one, other]) => {
      const counts = keysOf(one, other).flatMap(key => countsByKey.get(key) ?? []);
      return [one, { count: sum(counts.map(({ count }) => count)), cited: sum(counts.map(({ cited }) => cited)) }];
    }),
  );
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
