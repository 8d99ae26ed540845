import type { ReadModels } from '#libs/documents/read-models.js';
import { medianHours } from '#libs/views/median.js';
import { Muses } from '#libs/features/identity/views/muses.js';
import { Posters } from './posters.js';
import { type WageDocument, Wages } from './wages.js';
import { getById } from '#libs/documents/get-many.js';

/** Newest payments that the median is computed from. */
export const TIMES_MAX = 200;
/** Maximum unpaid deliveries that are counted. */
export const UNPAID_MAX = 1_000;

/** `poster_stats` of a profile; null until the first posted job. Reads a bounded number of documents. */
export async function loadPosterStats(models: ReadModels, museId: string) {
  const poster = await models.of(Posters).get(museId);
  if (!poster) return null;
  const newest = async (state: WageDocument['state'], limit: number) => {
    const range = { index: 'byPoster', equals: [museId, state], order: 'desc', limit } as const;
    return (await models.of(Wages).find(range)).map(({ body }) => body);
  };
  const [owed, settled] = await Promise.all([newest('owed', UNPAID_MAX), newest('paid', TIMES_MAX)]);
  const payable = await findPayable(models, new Set(owed.map(({ worker }) => worker)));
  const unpaid = owed.filter(({ worker }) => payable.has(worker)).length;
  const median_hours_to_pay = medianHours(settled.map(({ after }) => after!));
  const { jobs, applications, hires, deliveries, paid, disputed } = poster.body;
  return { jobs, applications, hires, deliveries, paid, unpaid, disputed, median_hours_to_pay };
}

/**
 * Returns the workers that can still be paid. A forgotten worker has no address, but its later identity may have one.
 */
async function findPayable(models: ReadModels, workers: ReadonlySet<string>): Promise<Set<string>> {
  const muses = await getById(models.of(Muses), [...workers]);
  const linked = [...muses.values()].flatMap(({ linked_to }) => linked_to ?? []);
  const later = await getById(models.of(Muses), linked);
  const isPresent = (id: string | null) => id !== null && (later.get(id) ?? muses.get(id))?.forgotten === false;
  return new Set([...workers].filter(id => isPresent(id) || isPresent(muses.get(id)?.linked_to ?? null)));
}
