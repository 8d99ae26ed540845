import { Paid, WageLost } from '#libs/streams/hire.js';
import { posterId } from '#libs/kernel/house.js';
import * as d from './document.js';
import { change, on, projection } from './projection.js';

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

type ByBoth = { readonly data: { readonly worker: string; readonly poster: string | null } };
const byBoth = ({ data }: ByBoth) => [`${data.worker}/${posterId(data.poster)}`];

/** What one muse was paid by one poster. */
export const Gigs = projection<typeof GigDocument>({
  name: 'gigs',
  version: 2,
  shape: '82dd171d',
  document: GigDocument,
  idsBegin: 'worker/',
  indexes: { byWorker: ['worker', 'last_at'] },
  steps: [
    on(Paid, byBoth, (gig, { data, at }) => {
      const { worker, token, amount } = data;
      const poster = posterId(data.poster);
      const amounts = { ...gig?.amounts, [token]: String(BigInt(gig?.amounts[token] ?? '0') + BigInt(amount)) };
      return { worker, poster, count: (gig?.count ?? 0) + 1, amounts, first_at: gig?.first_at ?? at, last_at: at };
    }),
    change(WageLost, byBoth, (gig, { data: { token, amount } }) => {
      const amounts = { ...gig.amounts, [token]: String(BigInt(gig.amounts[token] ?? '0') - BigInt(amount)) };
      return { ...gig, count: gig.count - 1, amounts };
    }),
  ],
});
