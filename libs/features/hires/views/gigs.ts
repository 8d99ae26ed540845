import { Paid, WageLost } from '#libs/features/hires/domain/hire.js';
import { resolvePosterId } from '#libs/kernel/system-account.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';
import { subtractWage, addWage } from '#libs/views/token-sums.js';

export const GigDocument = d.object({
  worker: d.museId,
  poster: d.museId,
  count: d.integer,
  /** Smallest units, by token. */
  amounts: d.mapOf(d.amount),
  first_at: d.time,
  last_at: d.time,
});
export type GigDocument = d.DocumentOf<typeof GigDocument>;

export const gigKey = (worker: string, poster: string) => `${worker}/${poster}`;

type WageEvent = { readonly data: { readonly worker: string; readonly poster: string | null } };
const byParties = ({ data }: WageEvent) => [gigKey(data.worker, resolvePosterId(data.poster))];

export const Gigs = defineProjection('gigs', GigDocument, {
  shape: '3db5844c',
  idsBegin: 'worker/',
  indexes: { byWorker: ['worker', 'last_at'] },
  steps: [
    on(Paid, byParties, (gig, { data, at }) => {
      const { worker } = data;
      const poster = resolvePosterId(data.poster);
      const amounts = addWage(gig?.amounts ?? {}, data);
      return { worker, poster, count: (gig?.count ?? 0) + 1, amounts, first_at: gig?.first_at ?? at, last_at: at };
    }),
    on(WageLost, byParties, (gig, { data }) =>
      gig && gig.count > 1 ? { ...gig, count: gig.count - 1, amounts: subtractWage(gig.amounts, data) } : null,
    ),
  ],
});
