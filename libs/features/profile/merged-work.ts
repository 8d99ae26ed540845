import type { ReadModels } from '#libs/documents/read-models.js';
import type { FeedItems } from '#libs/features/feed/views/feed-items.js';
import { excludeFrom, linkedIds } from '#libs/features/profile/views/linked-muses.js';
import type { MuseDocument } from '#libs/features/profile/views/muses.js';
import { citedSkills, loadEndorsements } from './endorsements.js';
import { gigsOf, itemsOf, newestFirst, positionsOf, provenSkills, mergeProvenSkills } from './muse-lists.js';

/**
 * Loads the work, pay and endorsements of a muse and its earlier identity. They stay the same until `until` (unix ms)
 * without a new event.
 */
export async function loadMergedWork(models: ReadModels, feedItems: FeedItems, muse: MuseDocument, now: number) {
  const museIds = linkedIds(muse);
  const loadAll = async <T>(list: (id: string) => Promise<T[]>) => (await Promise.all(museIds.map(list))).flat();
  const endorsements = excludeFrom(await loadAll(each => loadEndorsements(models, each)), museIds);
  const [receipts, positionLists, gigs, proven, cited] = await Promise.all([
    loadAll(each => itemsOf(models, each, 'receipt')),
    Promise.all(museIds.map(each => positionsOf(models, feedItems, each, now))),
    gigsOf(models, museIds),
    loadAll(each => provenSkills(models, each)),
    citedSkills(models, endorsements, museIds),
  ]);
  const positions = positionLists.flatMap(({ positions }, index) => markEarlier(positions, museIds[index]!, muse));
  // The lists of a single muse are already sorted.
  const isSingle = museIds.length === 1;
  return {
    endorsements,
    receipts: isSingle ? receipts : newestFirst(receipts, 'created_at'),
    positions: isSingle ? positions : newestFirst(positions, 'updated_at'),
    gigs,
    proven: mergeProvenSkills(proven, cited),
    until: Math.min(...positionLists.map(({ until }) => until)),
  };
}

/** Names the owner of positions of an earlier identity. */
const markEarlier = <P extends object>(positions: readonly P[], owner: string, { muse_id }: MuseDocument) =>
  positions.map(position => ({ ...position, earlier_id: owner === muse_id ? null : owner }));
