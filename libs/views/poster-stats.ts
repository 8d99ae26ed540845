import type { ReadModels } from '#libs/documents/read-models.js';
import { medianHours } from './median.js';
import { Posters } from './posters.js';
import { type WageDocument, Wages } from './wages.js';

/** How many of the newest payments the median is taken over. */
export const TIMES_MAX = 200;
/** Up to how many hires that are delivered and not paid are counted. */
export const UNPAID_MAX = 1_000;

/** `poster_stats` of a profile; null until the first posted job. Reads a bounded number of documents. */
export async function posterStatsOf(models: ReadModels, museId: string) {
  const poster = await models.of(Posters).get(museId);
  if (!poster) return null;
  const newest = async (state: WageDocument['state'], limit: number) => {
    const range = { index: 'byPoster', equals: [museId, state], order: 'desc', limit } as const;
    return (await models.of(Wages).find(range)).map(({ body }) => body);
  };
  const [owed, settled] = await Promise.all([newest('owed', UNPAID_MAX), newest('paid', TIMES_MAX)]);
  const median_hours_to_pay = medianHours(settled.map(({ after }) => after!));
  const { jobs, applications, hires, deliveries, paid, disputed } = poster.body;
  return { jobs, applications, hires, deliveries, paid, unpaid: owed.length, disputed, median_hours_to_pay };
}
