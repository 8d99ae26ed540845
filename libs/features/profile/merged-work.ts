import type { ReadModels } from '#libs/documents/read-models.js';
import type { FeedItems } from '#libs/features/feed/views/feed-items.js';
import { excludeFrom, linkedIds } from '#libs/features/profile/views/linked-muses.js';
import type { MuseDocument } from '#libs/features/profile/views/muses.js';
import { citedSkills, loadEndorsements } from './endorsements.js';
import { gigsOf, itemsOf, newestFirst, positionsOf, provenSkills, mergeProvenSkills } from './muse-lists.js';

/** Work, pay and endorsements of a muse and its earlier identity. `until` is when they change without an event, unix ms. */
export async function loadMergedWork(models: ReadModels, feedItems: FeedItems, muse: MuseDocument, now: number) {
  const counted = linkedIds(muse);
  const ofAll = async <T>(list: (id: string) => Promise<T[]>) => (await Promise.all(counted.map(list))).flat();
  const endorsements = excludeFrom(await ofAll(each => loadEndorsements(models, each)), counted);
  const [receipts, found, gigs, proven, cited] = await Promise.all([
    ofAll(each => itemsOf(models, each, 'receipt')),
    Promise.all(counted.map(each => positionsOf(models, feedItems, each, now))),
    gigsOf(models, counted),
    ofAll(each => provenSkills(models, each)),
    citedSkills(models, endorsements, counted),
  ]);
  const positions = found.flatMap(({ positions }, at) => markEarlier(positions, counted[at]!, muse));
  // Of one muse they come in the order of the log.
  const isOne = counted.length === 1;
  return {
    endorsements,
    receipts: isOne ? receipts : newestFirst(receipts, 'created_at'),
    positions: isOne ? positions : newestFirst(positions, 'updated_at'),
    gigs,
    proven: mergeProvenSkills(proven, cited),
    until: Math.min(...found.map(({ until }) => until)),
  };
}

/** The positions of an earlier identity say whose they were. */
const markEarlier = <P extends object>(positions: readonly P[], of: string, { muse_id }: MuseDocument) =>
  positions.map(position => ({ ...position, earlier_id: of === muse_id ? null : of }));
