import { mapMembers } from '#libs/kernel/map-members.js';
import { loadLinkedPairs } from '#libs/features/identity/views/linked-pairs.js';
import { loadSilence } from '#libs/features/blocks/views/load-silence.js';
import { getMany } from '#libs/documents/get-many.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import type { FeedItems } from '#libs/features/feed/views/feed-items.js';
import { type ItemDocument, Items } from '#libs/features/feed/views/items.js';
import { type GigDocument, gigKey, Gigs } from '#libs/features/hires/views/gigs.js';
import { Hires } from '#libs/features/hires/views/hires.js';
import { applicationPosition, hirePosition } from '#libs/features/hires/views/positions.js';
import { ProvenSkills } from '#libs/features/hires/views/proven-skills.js';
import { Applications } from '#libs/features/jobs/views/applications.js';
import { roleView, Roles, unchangedUntil } from '#libs/features/jobs/views/roles.js';
import { type EndorsementDocument, Endorsements } from '#libs/features/network/views/endorsements.js';
import { Recommendations } from '#libs/features/network/views/recommendations.js';
import { Founding, FOUNDING_ID } from '#libs/features/identity/views/founding.js';
import { excludeFrom, linkedIds } from '#libs/features/identity/views/linked-muses.js';
import type { MuseDocument } from '#libs/features/identity/views/muses.js';
import { formatUsdAmount } from '#libs/kernel/money.js';
import { addWage } from '#libs/views/token-sums.js';

/** A profile shows the newest entries of each list. */
export const LIST_MAX = 50;
const ACTIVITY_MAX = 20;
const PROVEN_MAX = 100;
/** Newest endorsements that are listed; the muse's own document has the totals. */
const ENDORSEMENTS_MAX = 200;
const RECOMMENDATIONS_MAX = 50;

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
  const { isBlocked } = await loadSilence(models, museId, () => documents.map(({ body }) => body.from));
  return documents
    .filter(({ body }) => !isBlocked(body.from))
    .map(({ body: { from, text, at } }) => ({ from, text, at }));
}

const newest = (museId: string) => ({ equals: [museId], order: 'desc', limit: LIST_MAX }) as const;

export async function itemsOf(models: ReadModels, museId: string, kind?: string): Promise<ItemDocument[]> {
  const range = kind
    ? { index: 'byMuseAndKind', equals: [museId, kind], limit: LIST_MAX }
    : { index: 'byMuse', equals: [museId, false], limit: ACTIVITY_MAX };
  const documents = await models.of(Items).find({ ...range, order: 'desc' });
  return documents.map(({ body }) => body);
}

/** Work of linked muses, grouped by poster. */
async function gigsOf(models: ReadModels, workers: readonly string[]) {
  const gigs = models.of(Gigs);
  const recent = (await Promise.all(workers.map(id => gigs.find({ ...newest(id), index: 'byWorker' })))).flat();
  const posters = [...new Set(recent.map(({ body }) => body.poster))];
  // The gig of one worker may be recent while that of the other, for the same poster, is too old for its list.
  const all = workers.length === 1 ? recent : await gigs.getMany(posters.flatMap(keysOf(workers)));
  const byPoster = posters.map(poster => all.map(({ body }) => body).filter(gig => gig.poster === poster));
  const merged = byPoster.map(([first, ...others]) => others.reduce(mergeGigs, first!));
  return newestFirst(merged, 'last_at').map(({ poster, count, amounts, first_at, last_at }) => {
    return { poster, count, usd: usdNumbers(amounts), first_at, last_at };
  });
}

const keysOf = (workers: readonly string[]) => (poster: string) => workers.map(worker => gigKey(worker, poster));

const mergeGigs = (one: GigDocument, other: GigDocument): GigDocument => ({
  ...one,
  count: one.count + other.count,
  amounts: Object.entries(other.amounts).reduce(
    (sums, [token, amount]) => addWage(sums, { token, amount }),
    one.amounts,
  ),
  first_at: Math.min(one.first_at, other.first_at),
  last_at: Math.max(one.last_at, other.last_at),
});

/** The specification has numbers here, unlike in every other amount. */
const usdNumbers = (amounts: { readonly [token: string]: string }) =>
  mapMembers(amounts, units => Number(formatUsdAmount(BigInt(units))));

async function provenSkills(models: ReadModels, museId: string) {
  const documents = await models.of(ProvenSkills).find({ ...newest(museId), index: 'byMuse', limit: PROVEN_MAX });
  return documents.map(({ body: { skill, hires } }) => ({ skill, hires })).filter(({ hires }) => hires > 0);
}

/** Merges the proven skills of linked muses. `cited` has one skill per endorsement that cites a proving hire. */
function mergeProvenSkills(all: Awaited<ReturnType<typeof provenSkills>>, cited: readonly string[]) {
  const proven = [...new Set(all.map(({ skill }) => skill))];
  const skills_proven = proven.map(skill => ({
    skill,
    hires: all.filter(each => each.skill === skill).reduce((sum, { hires }) => sum + hires, 0),
    cites: cited.filter(each => each === skill).length,
  }));
  return { proven, skills_proven };
}

const newestFirst = <K extends string, T extends { readonly [N in K]: number }>(all: T[], by: K): T[] =>
  [...all].sort((one, other) => other[by] - one[by]).slice(0, LIST_MAX);

export async function foundingOf(models: ReadModels, museId: string) {
  const number = 1 + ((await models.of(Founding).get(FOUNDING_ID))?.body.muses.indexOf(museId) ?? -1);
  return number > 0 ? { number } : null;
}

/** Hires and open applications, last changed first. They stay the same until `until` without a new event. Unix ms. */
async function positionsOf(models: ReadModels, feedItems: FeedItems, museId: string, now: number) {
  const [hires, applications] = await Promise.all([
    models.of(Hires).find({ ...newest(museId), index: 'byWorker' }),
    models.of(Applications).find({ ...newest(museId), index: 'byMuse' }),
  ]);
  const open = applications.filter(({ body }) => body.status === 'applied');
  const [titles, context, roles, areLinked] = await Promise.all([
    feedItems.titles(hires.map(({ body }) => body.role)),
    feedItems.contexts(hires.map(({ body }) => body)),
    models.of(Roles).getMany(open.map(({ body }) => body.role)),
    loadLinkedPairs(models, [museId]),
  ]);
  const records = roles.map(({ body }) => roleView(body, now));
  const roleOf = new Map(records.map(record => [record.slug, record]));
  const positions = [
    ...hires.map(({ body }) => hirePosition(body, titles.get(body.role) ?? null, context(body))),
    ...open.map(({ body }) => applicationPosition(body, roleOf.get(body.role)!, areLinked)),
  ].sort((a, b) => b.updated_at - a.updated_at);
  return { positions, until: unchangedUntil(records, now) };
}
