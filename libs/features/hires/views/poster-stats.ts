import type { ReadModels } from '#libs/documents/read-models.js';
import { resolvePosterId } from '#libs/kernel/system-account.js';
import { medianHours } from '#libs/views/median.js';
import { Muses } from '#libs/features/identity/views/muses.js';
import { type PosterDocument, Posters } from './posters.js';
import { type WageDocument, Wages } from './wages.js';
import { getById } from '#libs/documents/get-many.js';

/** Newest payments that the median is computed from. */
export const TIMES_MAX = 200;
/** Maximum unpaid deliveries that are counted. */
export const UNPAID_MAX = 1_000;

type PosterStats = ReturnType<typeof statsOf>;

/** `poster_stats` of a profile; null until the first posted job. Reads a bounded number of documents. */
export async function loadPosterStats(models: ReadModels, museId: string): Promise<PosterStats | null> {
  return (await loadStatsByPoster(models, [museId])).get(museId) ?? null;
}

/** Adds `poster_stats` to the jobs of a list. */
export async function withPosterStats<R extends { readonly poster: string | null }>(
  models: ReadModels,
  roles: readonly R[],
): Promise<(R & { readonly poster_stats: PosterStats | null })[]> {
  const stats = await loadStatsByPoster(
    models,
    roles.map(({ poster }) => resolvePosterId(poster)),
  );
  return roles.map(role => ({ ...role, poster_stats: stats.get(resolvePosterId(role.poster)) ?? null }));
}

/** Reads wages only of posters that have some, and the workers of all posters at once. */
async function loadStatsByPoster(models: ReadModels, ids: readonly string[]): Promise<Map<string, PosterStats>> {
  const posters = [...(await getById(models.of(Posters), ids))];
  const wages = await Promise.all(
    posters.map(async ([id, { deliveries, paid }]) => {
      const newest = (state: WageDocument['state'], limit: number) => findWages(models, id, state, limit);
      const [owed, settled] = await Promise.all([
        deliveries > paid ? newest('owed', UNPAID_MAX) : [],
        paid > 0 ? newest('paid', TIMES_MAX) : [],
      ]);
      return { owed: owed.map(({ worker }) => worker), after: settled.map(({ after }) => after!) };
    }),
  );
  const payable = await findPayable(models, new Set(wages.flatMap(({ owed }) => owed)));
  return new Map(
    posters.map(([id, poster], at) => {
      const { owed, after } = wages[at]!;
      return [id, statsOf(poster, owed.filter(worker => payable.has(worker)).length, after)];
    }),
  );
}

async function findWages(models: ReadModels, poster: string, state: WageDocument['state'], limit: number) {
  const range = { index: 'byPoster', equals: [poster, state], order: 'desc', limit } as const;
  return (await models.of(Wages).find(range)).map(({ body }) => body);
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
