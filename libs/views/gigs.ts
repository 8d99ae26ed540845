import { Paid } from '#libs/streams/hire.js';
import { posterId } from '#libs/kernel/house.js';
import { on, projection } from './on.js';

export type GigDocument = {
  readonly worker: string;
  readonly poster: string;
  readonly count: number;
  /** Smallest units by token. */
  readonly amounts: { readonly [token: string]: string };
  readonly first_at: number;
  readonly last_at: number;
};

/** What one muse was paid by one poster. */
export const Gigs = projection<GigDocument>({
  name: 'gigs',
  version: 1,
  indexes: { byWorker: ['worker', 'last_at'] },
  steps: [
    on(
      Paid,
      ({ data }) => [`${data.worker}/${posterId(data.poster)}`],
      (gig, { data, at }) => {
        const { worker, token, amount } = data;
        const poster = posterId(data.poster);
        const amounts = { ...gig?.amounts, [token]: String(BigInt(gig?.amounts[token] ?? '0') + BigInt(amount)) };
        return { worker, poster, count: (gig?.count ?? 0) + 1, amounts, first_at: gig?.first_at ?? at, last_at: at };
      },
    ),
  ],
});
