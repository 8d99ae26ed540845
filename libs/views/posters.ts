import { Applied } from '#libs/streams/application.js';
import { Delivered, DisputeWithdrawn, Disputed, HireEnded, Hired, Paid } from '#libs/streams/hire.js';
import { JobPosted } from '#libs/streams/job.js';
import { HOUR_MS } from '#libs/kernel/clock.js';
import * as d from './document.js';
import { change, on, projection } from './projection.js';

/** How many of the newest payments the median is taken over. */
const TIMES_MAX = 200;

/** A hire that is not paid: what its payment will be measured by. */
const OpenHire = d.object({ budget: d.flag, delivered_at: d.orNull(d.time) });

export const PosterDocument = d.object({
  jobs: d.integer,
  applications: d.integer,
  hires: d.integer,
  deliveries: d.integer,
  paid: d.integer,
  disputed: d.integer,
  /** Hires that are neither paid nor ended, by id. */
  open: d.mapOf(OpenHire),
  /** From the latest delivery to its payment, the newest ones. */
  times: d.list(d.duration),
});
export type PosterDocument = d.DocumentOf<typeof PosterDocument>;

const NOTHING: PosterDocument = {
  jobs: 0,
  applications: 0,
  hires: 0,
  deliveries: 0,
  paid: 0,
  disputed: 0,
  open: {},
  times: [],
};

type ByPoster = { readonly data: { readonly poster: string | null } };
const byPoster = ({ data }: ByPoster) => (data.poster === null ? [] : [data.poster]);

/** What a muse is like as a poster. */
export const Posters = projection<typeof PosterDocument>({
  name: 'posters',
  version: 1,
  shape: 'a6d60910',
  document: PosterDocument,
  steps: [
    on(JobPosted, byPoster, (poster = NOTHING) => ({ ...poster, jobs: poster.jobs + 1 })),
    change(Applied, byPoster, poster => ({ ...poster, applications: poster.applications + 1 })),
    change(Hired, byPoster, (poster, { data }) => {
      const hire = { budget: data.budget !== null, delivered_at: null };
      return { ...poster, hires: poster.hires + 1, open: { ...poster.open, [data.hire]: hire } };
    }),
    change(Delivered, byPoster, (poster, { data, at }) => {
      const hire = { budget: poster.open[data.hire]?.budget ?? false, delivered_at: at };
      const first = data.delivery === 1 ? 1 : 0;
      return { ...poster, deliveries: poster.deliveries + first, open: { ...poster.open, [data.hire]: hire } };
    }),
    change(Disputed, byPoster, (poster, { data }) => ({ ...poster, disputed: poster.disputed + (data.again ? 0 : 1) })),
    change(DisputeWithdrawn, byPoster, poster => ({ ...poster, disputed: poster.disputed - 1 })),
    change(HireEnded, byPoster, (poster, { data }) => ({ ...poster, open: without(poster.open, data.hire) })),
    change(Paid, byPoster, (poster, { data, at }) => {
      const delivered = poster.open[data.hire]?.delivered_at ?? at;
      const times = [...poster.times, at - delivered].slice(-TIMES_MAX);
      return { ...poster, paid: poster.paid + 1, open: without(poster.open, data.hire), times };
    }),
  ],
});

function without(open: PosterDocument['open'], hire: number): PosterDocument['open'] {
  return Object.fromEntries(Object.entries(open).filter(([id]) => id !== String(hire)));
}

/** `poster_stats` of a profile; null until the first posted job. */
export function posterStats(poster: PosterDocument | undefined) {
  if (!poster) return null;
  const { jobs, applications, hires, deliveries, paid, disputed, open, times } = poster;
  const unpaid = Object.values(open).filter(({ budget, delivered_at }) => budget && delivered_at !== null).length;
  return { jobs, applications, hires, deliveries, paid, unpaid, disputed, median_hours_to_pay: medianHours(times) };
}

/** Rounded to a hundredth of an hour; null where there is nothing to take it of. */
export function medianHours(times: readonly number[]): number | null {
  if (times.length === 0) return null;
  const sorted = [...times].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const ms = sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return Math.round((ms / HOUR_MS) * 100) / 100;
}
