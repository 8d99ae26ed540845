import { getMany } from '#libs/documents/get-many.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import type { FeedItems } from '#libs/features/feed/views/feed-items.js';
import { Hires } from '#libs/features/hires/views/hires.js';
import { type EndorsementDocument, Endorsements } from '#libs/features/network/views/endorsements.js';
import { Recommendations } from '#libs/features/network/views/recommendations.js';
import { excludeFrom, linkedIds } from '#libs/features/profile/views/linked-muses.js';
import type { MuseDocument } from '#libs/features/profile/views/muses.js';
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

/** Newest endorsements that are listed; the muse's own document has the totals. */
const ENDORSEMENTS_MAX = 200;
const RECOMMENDATIONS_MAX = 50;

async function loadEndorsements(models: ReadModels, museId: string): Promise<EndorsementDocument[]> {
  const range = { index: 'byMuse', equals: [museId], order: 'desc', limit: ENDORSEMENTS_MAX } as const;
  return (await models.of(Endorsements).find(range)).map(({ body }) => body);
}

export function groupBySkill(endorsements: readonly EndorsementDocument[]) {
  const skills = [...new Set(endorsements.map(({ skill }) => skill))];
  return skills.map(skill => {
    const ofSkill = endorsements.filter(endorsement => endorsement.skill === skill);
    const cited = ofSkill.filter(({ hire }) => hire !== null).length;
    const entries = ofSkill.map(({ from, hire, at }) => ({ muse_id: from, hire, at }));
    return { skill, by: ofSkill.map(({ from }) => from), entries, cited, bare: ofSkill.length - cited };
  });
}

/** Returns one skill per endorsement that cites a hire in which one of `workers` proved it. */
async function citedSkills(
  models: ReadModels,
  endorsements: readonly EndorsementDocument[],
  workers: readonly string[],
): Promise<string[]> {
  const cited = endorsements.flatMap(({ hire, skill }) => (hire === null ? [] : [{ hire: String(hire), skill }]));
  const hires = await getMany(models.of(Hires), [...new Set(cited.map(({ hire }) => hire))]);
  const proves = new Map(hires.map(({ id, body }) => [id, workers.includes(body.worker) ? body.proves : []]));
  return cited.filter(({ hire, skill }) => proves.get(hire)?.includes(skill)).map(({ skill }) => skill);
}

export async function loadRecommendations(models: ReadModels, museId: string) {
  const range = { index: 'byMuse', equals: [museId], order: 'desc', limit: RECOMMENDATIONS_MAX } as const;
  const documents = await models.of(Recommendations).find(range);
  return documents.map(({ body: { from, text, at } }) => ({ from, text, at }));
}
