import { Paid, WageLost } from '#libs/features/hires/domain/hire.js';
import { posterId } from '#libs/kernel/house.js';
import * as d from '#libs/views/document.js';
import { on, projection } from '#libs/views/projection.js';
import { withoutWage, withWage } from '#libs/views/token-sums.js';

export const GigDocument = d.object({
  worker: d.museId,
  poster: d.museId,
  count: d.integer,
  /** Smallest units by token. */
  amounts: d.mapOf(d.amount),
  first_at: d.time,
  last_at: d.time,
});
export type GigDocument = d.DocumentOf<typeof GigDocument>;

/** Where what one was paid by the other stands. */
export const gigKey = (worker: string, poster: string) => `${worker}/${poster}`;

type ByBoth = { readonly data: { readonly worker: string; readonly poster: string | null } };
const byBoth = ({ data }: ByBoth) => [gigKey(data.worker, posterId(data.poster))];

/** What one muse was paid by one poster. */
export const Gigs = projection<typeof GigDocument>({
  name: 'gigs',
  version: 1,
  shape: '3db5844c',
  document: GigDocument,
  idsBegin: 'worker/',
  indexes: { byWorker: ['worker', 'last_at'] },
  steps: [
    on(Paid, byBoth, (gig, { data, at }) => {
      const { worker } = data;
      const poster = posterId(data.poster);
      const amounts = withWage(gig?.amounts ?? {}, data);
      return { worker, poster, count: (gig?.count ?? 0) + 1, amounts, first_at: gig?.first_at ?? at, last_at: at };
    }),
    on(WageLost, byBoth, (gig, { data }) =>
      gig && gig.count > 1 ? { ...gig, count: gig.count - 1, amounts: withoutWage(gig.amounts, data) } : null,
    ),
  ],
});
