import type { ReadModels } from '#libs/documents/read-models.js';
import type { FeedItems } from '#libs/views/feed-items.js';
import { byOthers, countedFor } from '#libs/views/linked.js';
import type { MuseDocument } from '#libs/views/muses.js';
import { citedSkills, endorsementsOf } from './endorsements.js';
import { gigsOf, itemsOf, newestFirst, positionsOf, provenSkills, provenTogether } from './muse-lists.js';

/** What a muse has worked, was paid and was endorsed for, with what counts for it of an earlier identity. */
export async function workOf(models: ReadModels, feedItems: FeedItems, muse: MuseDocument) {
  const counted = countedFor(muse);
  const ofAll = async <T>(list: (id: string) => Promise<T[]>) => (await Promise.all(counted.map(list))).flat();
  const endorsements = byOthers(await ofAll(each => endorsementsOf(models, each)), counted);
  const [receipts, positions, gigs, proven, cited] = await Promise.all([
    ofAll(each => itemsOf(models, each, 'receipt')),
    ofAll(async each => earlierIn(await positionsOf(models, feedItems, each), each, muse)),
    gigsOf(models, counted),
    ofAll(each => provenSkills(models, each)),
    citedSkills(models, endorsements, counted),
  ]);
  // Of one muse they come in the order of the log.
  const isOne = counted.length === 1;
  return {
    endorsements,
    receipts: isOne ? receipts : newestFirst(receipts, 'created_at'),
    positions: isOne ? positions : newestFirst(positions, 'updated_at'),
    gigs,
    proven: provenTogether(proven, cited),
  };
}

/** The positions of an earlier identity say whose they were. */
const earlierIn = <P extends object>(positions: readonly P[], of: string, { muse_id }: MuseDocument) =>
  positions.map(position => ({ ...position, earlier_id: of === muse_id ? null : of }));
