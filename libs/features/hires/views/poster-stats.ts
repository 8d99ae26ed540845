import type { ReadModels } from '#libs/documents/read-models.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';
import { resolvePosterId } from '#libs/kernel/system-account.js';
import { medianHours } from '#libs/views/median.js';
import { Muses } from '#libs/features/identity/views/muses.js';
import { type PosterDocument, Posters } from './posters.js';
import { type PayState, payStatesOf } from './pay-states.js';
import { PayTerms } from './pay-terms.js';
import { Wages } from './wages.js';
import { getById } from '#libs/documents/get-many.js';

/** Newest payments that the median is computed from. */
export const TIMES_MAX = 200;
/** Maximum unpaid deliveries that are counted. */
export const UNPAID_MAX = 1_000;

type PosterStats = ReturnType<typeof statsOf> & ReturnType<typeof punctualityOf>;

/** `poster_stats` of a profile; null until the first posted job. Reads a bounded number of documents. `now` is unix ms. */
export async function loadPosterStats(models: ReadModels, museId: string, now: number): Promise<PosterStats | null> {
  return (await loadStatsByPoster(models, [museId], now)).get(museId) ?? null;
}

/** Adds `poster_stats` to the jobs of a list. */
export async function withPosterStats<R extends { readonly poster: string | null }>(
  models: ReadModels,
  roles: readonly R[],
  now: number,
): Promise<(R & { readonly poster_stats: PosterStats | null })[]> {
  const stats = await loadStatsByPoster(
    models,
    roles.map(({ poster }) => resolvePosterId(poster)),
    now,
  );
  return roles.map(role => ({ ...role, poster_stats: stats.get(resolvePosterId(role.poster)) ?? null }));
}

/** Reads wages only of posters that have some, and the workers of all posters at once. */
async function loadStatsByPoster(
  models: ReadModels,
  ids: readonly string[],
  now: number,
): Promise<Map<string, PosterStats>> {
  const posters = [...(await getById(models.of(Posters), ids))];
  const [wages, terms] = await Promise.all([findNewest(models, Wages, posters), findNewest(models, PayTerms, posters)]);
  const [payable, stateOf] = await Promise.all([
    findPayable(models, new Set(wages.flatMap(({ owed }) => owed.map(({ worker }) => worker)))),
    payStatesOf(
      models,
      terms.flatMap(({ owed, settled }) => [...owed, ...settled]),
      now,
    ),
  ]);
  return new Map(
    posters.map(([id, poster], at) => {
      const [{ owed, settled }, own] = [wages[at]!, terms[at]!];
      const unpaid = owed.filter(({ worker }) => payable.has(worker)).length;
      const after = settled.map(wage => wage.after!);
      return [id, { ...statsOf(poster, unpaid, after), ...punctualityOf([...own.owed, ...own.settled].map(stateOf)) }];
    }),
  );
}

/** Newest documents of each poster about hires that are delivered and not paid, and about paid ones. */
async function findNewest<D extends JsonObject>(
  models: ReadModels,
  projection: Projection<D>,
  posters: readonly (readonly [id: string, poster: PosterDocument])[],
): Promise<{ readonly owed: readonly D[]; readonly settled: readonly D[] }[]> {
  const newest = async (poster: string, state: 'owed' | 'paid', limit: number) => {
    const range = { index: 'byPoster', equals: [poster, state], order: 'desc', limit } as const;
    return (await models.of(projection).find(range)).map(({ body }) => body);
  };
  return Promise.all(
    posters.map(async ([id, { deliveries, paid }]) => {
      const [owed, settled] = await Promise.all([
        deliveries > paid ? newest(id, 'owed', UNPAID_MAX) : [],
        paid > 0 ? newest(id, 'paid', TIMES_MAX) : [],
      ]);
      return { owed, settled };
    }),
  );
}

/** A wage that was paid late is no longer overdue, and stays late. */
function punctualityOf(states: readonly PayState[]) {
  const overdue = states.filter(state => state.overdue).length;
  const decided = states.filter(({ paid_on_time }) => paid_on_time !== null);
  const onTime = decided.filter(({ paid_on_time }) => paid_on_time === true).length;
  return { overdue, paid_on_time: decided.length === 0 ? null : Math.floor((onTime * 100) / decided.length) };
}

/** `after`: times from delivery to payment, in ms. */
function statsOf(poster: PosterDocument, unpaid: number, after: readonly number[]) {
  const { jobs, applications, hires, deliveries, paid, disputed } = poster;
  const median_hours_to_pay = medianHours(after);
  return { jobs, applications, hires, deliveries, paid, unpaid, disputed, median_hours_to_pay };
}

/**
 * Returns the workers that can still be paid. A forgotten worker has no address, but its later identity may have one.
 */
async function findPayable(models: ReadModels, workers: ReadonlySet<string>): Promise<Set<string>> {
  if (workers.size === 0) return new Set();
  const muses = await getById(models.of(Muses), [...workers]);
  const linked = [...muses.values()].flatMap(({ linked_to }) => linked_to ?? []);
  const later = await getById(models.of(Muses), linked);
  const isPresent = (id: string | null) => id !== null && (later.get(id) ?? muses.get(id))?.forgotten === false;
  return new Set([...workers].filter(id => isPresent(id) || isPresent(muses.get(id)?.linked_to ?? null)));
}
