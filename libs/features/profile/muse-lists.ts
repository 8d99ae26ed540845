import type { ReadModels } from '#libs/documents/read-models.js';
import { formatUsdAmount } from '#libs/kernel/money.js';
import { Applications } from '#libs/features/jobs/views/applications.js';
import type { FeedItems } from '#libs/features/feed/views/feed-items.js';
import { Founding, FOUNDING_ID } from '#libs/features/profile/views/founding.js';
import { type GigDocument, gigKey, Gigs } from '#libs/features/hires/views/gigs.js';
import { Hires } from '#libs/features/hires/views/hires.js';
import { type ItemDocument, Items } from '#libs/features/feed/views/items.js';
import { applicationPosition, hirePosition } from '#libs/features/hires/views/positions.js';
import { roleView, Roles, unchangedUntil } from '#libs/features/jobs/views/roles.js';
import { ProvenSkills } from '#libs/features/hires/views/proven-skills.js';
import { addWage } from '#libs/views/token-sums.js';

/** How many of each list a profile shows, the newest. */
export const LIST_MAX = 50;
export const ACTIVITY_MAX = 20;
const PROVEN_MAX = 100;

const newest = (museId: string) => ({ equals: [museId], order: 'desc', limit: LIST_MAX }) as const;

/** What a muse did, of one kind or of all. */
export async function itemsOf(models: ReadModels, museId: string, kind?: string): Promise<ItemDocument[]> {
  const range = kind
    ? { index: 'byMuseAndKind', equals: [museId, kind], limit: LIST_MAX }
    : { index: 'byMuse', equals: [museId, false], limit: ACTIVITY_MAX };
  const found = await models.of(Items).find({ ...range, order: 'desc' });
  return found.map(({ body }) => body);
}

/** What muses that count as one have worked for others, by poster. */
export async function gigsOf(models: ReadModels, workers: readonly string[]) {
  const gigs = models.of(Gigs);
  const found = (await Promise.all(workers.map(id => gigs.find({ ...newest(id), index: 'byWorker' })))).flat();
  const posters = [...new Set(found.map(({ body }) => body.poster))];
  // What stands in the list of the one may be too old for the list of the other.
  const all = workers.length === 1 ? found : await gigs.getMany(posters.flatMap(keysOf(workers)));
  const together = posters.map(poster => all.map(({ body }) => body).filter(gig => gig.poster === poster));
  const shown = together.map(([first, ...others]) => others.reduce(mergeGigs, first!));
  return newestFirst(shown, 'last_at').map(({ poster, count, amounts, first_at, last_at }) => {
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

/** The specification gives the amounts of gigs, and of these alone, as numbers. */
const usdNumbers = (amounts: { readonly [token: string]: string }) =>
  Object.fromEntries(Object.entries(amounts).map(([token, units]) => [token, Number(formatUsdAmount(BigInt(units)))]));

/** What a muse has proven by its hires, and how many of them. */
export async function provenSkills(models: ReadModels, museId: string) {
  const found = await models.of(ProvenSkills).find({ ...newest(museId), index: 'byMuse', limit: PROVEN_MAX });
  return found.map(({ body: { skill, hires } }) => ({ skill, hires })).filter(({ hires }) => hires > 0);
}

/** The same of muses that count as one, with how many cite such a hire: `cited` has a skill for each. */
export function mergeProvenSkills(all: Awaited<ReturnType<typeof provenSkills>>, cited: readonly string[]) {
  const proven = [...new Set(all.map(({ skill }) => skill))];
  const skills_proven = proven.map(skill => ({
    skill,
    hires: all.filter(one => one.skill === skill).reduce((sum, { hires }) => sum + hires, 0),
    cites: cited.filter(each => each === skill).length,
  }));
  return { proven, skills_proven };
}

/** The lists of several muses as one, cut to what a profile shows. */
export const newestFirst = <K extends string, T extends { readonly [N in K]: number }>(all: T[], by: K): T[] =>
  [...all].sort((one, other) => other[by] - one[by]).slice(0, LIST_MAX);

/** Its number among the first that joined. */
export async function foundingOf(models: ReadModels, museId: string) {
  const number = 1 + ((await models.of(Founding).get(FOUNDING_ID))?.body.muses.indexOf(museId) ?? -1);
  return number > 0 ? { number } : null;
}

/** Hires and open applications at a time, the last changed first, and until when these stay the same. Unix ms. */
export async function positionsOf(models: ReadModels, feedItems: FeedItems, museId: string, now: number) {
  const [hires, applications] = await Promise.all([
    models.of(Hires).find({ ...newest(museId), index: 'byWorker' }),
    models.of(Applications).find({ ...newest(museId), index: 'byMuse' }),
  ]);
  const open = applications.filter(({ body }) => body.status === 'applied');
  const [titles, context, roles] = await Promise.all([
    feedItems.titles(hires.map(({ body }) => body.role)),
    feedItems.contexts(hires.map(({ body }) => body)),
    models.of(Roles).getMany(open.map(({ body }) => body.role)),
  ]);
  const records = roles.map(({ body }) => roleView(body, now));
  const roleOf = new Map(records.map(record => [record.slug, record]));
  const positions = [
    ...hires.map(({ body }) => hirePosition(body, titles.get(body.role) ?? null, context(body))),
    ...open.map(({ body }) => applicationPosition(body, roleOf.get(body.role)!)),
  ].sort((a, b) => b.updated_at - a.updated_at);
  return { positions, until: unchangedUntil(records, now) };
}
