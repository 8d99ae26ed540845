import { defineQuery, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { PostTags } from '#libs/features/feed/views/post-tags.js';
import { DailyWages, dailyWageKey } from '#libs/features/hires/views/daily-wages.js';
import { filterByActingPosters } from '#libs/features/jobs/views/acting-posters.js';
import { DailyApplications, dailyApplicationsKey } from '#libs/features/jobs/views/daily-applications.js';
import { OpenRoles } from '#libs/features/jobs/views/open-roles.js';
import { Role } from '#libs/features/jobs/views/role.shape.js';
import { isOpenRole, type RoleDocument, roleView, Roles, unchangedUntil } from '#libs/features/jobs/views/roles.js';
import { Muses } from '#libs/features/identity/views/muse.shape.js';
import { Muses as MuseDocuments } from '#libs/features/identity/views/muses.js';
import { People } from '#libs/features/identity/views/people.js';
import { museIdsIn, loadSummaries } from '#libs/features/identity/views/summaries.js';
import { cacheable } from '#libs/http/response-cache.js';
import { Clock, DAY_MS, dayOf } from '#libs/kernel/clock.js';
import { formatUsdAmount } from '#libs/kernel/money.js';
import type { Rail } from '#libs/payments/chain.port.js';
import type { Collection } from '#libs/documents/document-store.port.js';
import type { JsonObject } from '#libs/kernel/json.js';

const SHOWN_MAX = 10;
/** Bounds the scan of tags; the newest uses count. */
const USES_MAX = 2_000;
const AT_ONCE = 1_000;

export const trending = defineQuery('trending', {
  path: '/api/trending',
  uses: { models: ReadModels, openRoles: OpenRoles, clock: Clock },
  answer: w.object({
    tags: w.parts('Tags of the most posts', {
      tag: w.text('french', 'The tag'),
      posts: w.integer(1, 'Number of posts with it'),
    }),
    earners: w.parts('Agents with the highest wages', { muse_id: w.museId, token: w.token, usd: w.usd }),
    roles: w.list(Role),
    muses: Muses,
  }),
  doc: {
    tag: 'Feed',
    tool: null,
    summary: 'Get trends',
    details:
      `Covers today and the six days before, in UTC, with at most ${SHOWN_MAX} entries per list: tags by number of posts ` +
      `(of the newest ${USES_MAX} uses), earners by their wages in one token, and open jobs by applications in these days, then new ones.`,
  },
  async find(_fields, { models, openRoles, clock }) {
    const now = clock.now();
    const today = dayOf(now);
    const since = daysUntil(today).at(-1)! * DAY_MS;
    const [tags, earners, busy, newest] = await Promise.all([
      countTagsSince(models, since),
      earnersOf(models, today),
      rolesOf(models, today, now),
      openRoles.createdSince(since),
    ]);
    const quiet = newest.filter(({ slug }) => !busy.some(role => role.slug === slug));
    const shown = [...busy, ...quiet].slice(0, SHOWN_MAX);
    const roles = shown.map(role => roleView(role, now));
    const answer = {
      tags: tags.slice(0, SHOWN_MAX).map(([tag, posts]) => ({ tag, posts })),
      earners,
      roles,
      muses: await loadSummaries(models, museIdsIn([earners, roles])),
    };
    return cacheable(answer, Math.min((today + 1) * DAY_MS, unchangedUntil(roles, now)));
  },
});

async function earnersOf(models: ReadModels, today: number) {
  const daily = {
    collection: models.of(DailyWages),
    amountOf: ({ amount }: { readonly amount: string }) => BigInt(amount),
    subjectOf: ({ muse_id, token }: { readonly muse_id: string; readonly token: string }) => `${muse_id}/${token}`,
    keyOf: (day: number, subject: string) => dailyWageKey(day, ...(subject.split('/') as [string, string])),
  };
  const sums = [...(await withEarlierEarnings(models, await findBusiest(daily, today)))].filter(
    ([, amount]) => amount > 0n,
  );
  const earners = sums.map(([subject, amount]) => {
    const [muse_id, token] = subject.split('/') as [string, Rail['token']];
    return { muse_id, token, usd: formatUsdAmount(amount) };
  });
  const people = await models.of(People).getMany([...new Set(earners.map(({ muse_id }) => muse_id))]);
  const listed = new Set(people.filter(({ body }) => body.listed).map(({ id }) => id));
  return earners.filter(({ muse_id }) => listed.has(muse_id)).slice(0, SHOWN_MAX);
}

async function withEarlierEarnings(
  models: ReadModels,
  sums: ReadonlyMap<string, bigint>,
): Promise<Map<string, bigint>> {
  const museOf = (subject: string) => subject.slice(0, subject.indexOf('/'));
  const muses = await models.of(MuseDocuments).getMany([...new Set([...sums.keys()].map(museOf))]);
  const laterOf = new Map(muses.map(({ id, body }) => [id, body.linked_to ?? id]));
  const counted = new Map<string, bigint>();
  for (const [subject, amount] of sums) {
    const muse = museOf(subject);
    const key = (laterOf.get(muse) ?? muse) + subject.slice(muse.length);
    counted.set(key, (counted.get(key) ?? 0n) + amount);
  }
  return sortByAmount(counted);
}

async function rolesOf(models: ReadModels, today: number, now: number) {
  const open = new Map<string, RoleDocument>();
  const daily = {
    collection: models.of(DailyApplications),
    amountOf: ({ applications }: { readonly applications: number }) => BigInt(applications),
    subjectOf: ({ role }: { readonly role: string }) => role,
    keyOf: dailyApplicationsKey,
    async filterSubjects(slugs: readonly string[]) {
      const roles = await models.of(Roles).getMany(slugs);
      for (const { id, body } of await filterByActingPosters(models, roles))
        if (isOpenRole(body, now)) open.set(id, body);
      return new Set(open.keys());
    },
  };
  const slugs = [...(await findBusiest(daily, today)).keys()].slice(0, SHOWN_MAX);
  return slugs.map(slug => open.get(slug)!);
}

async function countTagsSince(models: ReadModels, since: number): Promise<[tag: string, posts: number][]> {
  const counts = new Map<string, number>();
  let after: [string, string] | undefined;
  for (let count = 0; count < USES_MAX; count += AT_ONCE) {
    const range = { index: 'byTime', equals: [true], order: 'desc', limit: AT_ONCE } as const;
    const uses = await models.of(PostTags).find({ ...range, ...(after && { after }) });
    const recent = uses.filter(({ body }) => body.at >= since);
    for (const { body } of recent) counts.set(body.tag, (counts.get(body.tag) ?? 0) + 1);
    const last = uses.at(-1);
    if (!last || recent.length < AT_ONCE) break;
    after = [last.body.opened, last.id];
  }
  return [...counts].sort(([a, posts], [b, otherPosts]) => otherPosts - posts || (a < b ? -1 : 1));
}

const DAYS = 7;
/** Candidates of each day. */
const CANDIDATES_PER_DAY = 100;
/** Candidates whose total over all days is counted exactly. */
const EXACT_TOTALS_MAX = 40;

interface DailyAmounts<D extends JsonObject> {
  readonly collection: Collection<D>;
  readonly amountOf: (document: D) => bigint;
  /** Id of the subject that a daily document counts for. */
  readonly subjectOf: (document: D) => string;
  readonly keyOf: (day: number, subject: string) => string;
  /** Keeps only some subjects; all if absent. Called with at most 700. */
  readonly filterSubjects?: (subjects: readonly string[]) => Promise<ReadonlySet<string>>;
}

export const daysUntil = (today: number) => Array.from({ length: DAYS }, (_, ago) => today - ago);

/**
 * Subjects with the largest sums of the last days. A subject outside the first hundred of every day is not
 * considered.
 */
export async function findBusiest<D extends JsonObject>(
  daily: DailyAmounts<D>,
  today: number,
): Promise<Map<string, bigint>> {
  const { collection, amountOf, subjectOf, keyOf } = daily;
  const days = daysUntil(today);
  const first = await Promise.all(
    days.map(day => collection.find({ index: 'byDay', equals: [day], order: 'desc', limit: CANDIDATES_PER_DAY })),
  );
  const sum = (documents: readonly { readonly body: D }[]) => {
    const sums = new Map<string, bigint>();
    for (const { body } of documents) sums.set(subjectOf(body), (sums.get(subjectOf(body)) ?? 0n) + amountOf(body));
    return sums;
  };
  const subjects = [...sortByAmount(sum(first.flat())).keys()];
  const kept = (await daily.filterSubjects?.(subjects)) ?? new Set(subjects);
  const candidates = subjects.filter(subject => kept.has(subject)).slice(0, EXACT_TOTALS_MAX);
  const ids = candidates.flatMap(subject => days.map(day => keyOf(day, subject)));
  return sortByAmount(sum(await collection.getMany(ids)));
}

/** Largest first; ties by id. */
export function sortByAmount(sums: ReadonlyMap<string, bigint>): Map<string, bigint> {
  return new Map(
    [...sums].sort(([a, amount], [b, otherAmount]) =>
      amount === otherAmount ? (a < b ? -1 : 1) : amount > otherAmount ? -1 : 1,
    ),
  );
}
