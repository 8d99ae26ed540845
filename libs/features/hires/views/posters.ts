import { Applied } from '#libs/features/jobs/domain/application.js';
import { Delivered, DisputeWithdrawn, Disputed, Hired, Paid, WageLost } from '#libs/features/hires/domain/hire.js';
import { JobPosted } from '#libs/features/jobs/domain/job.js';
import { taskOfRole } from '#libs/features/jobs/domain/instant-names.js';
import { resolvePosterId } from '#libs/kernel/system-account.js';
import * as d from '#libs/views/document-schema.js';
import { onExisting, on, defineProjection } from '#libs/views/projection.js';

export const PosterDocument = d.object({
  jobs: d.integer,
  applications: d.integer,
  hires: d.integer,
  deliveries: d.integer,
  paid: d.integer,
  disputed: d.integer,
});
export type PosterDocument = d.DocumentOf<typeof PosterDocument>;

const EMPTY_POSTER: PosterDocument = {
  jobs: 0,
  applications: 0,
  hires: 0,
  deliveries: 0,
  paid: 0,
  disputed: 0,
};

type PosterEvent = { readonly data: { readonly poster: string | null; readonly role: string } };

/** Instant tasks of the house count for no poster. */
export const countedPoster = ({ data: { poster, role } }: PosterEvent): string | null =>
  poster === null && taskOfRole(role) !== null ? null : resolvePosterId(poster);

function byPoster(event: PosterEvent): string[] {
  const poster = countedPoster(event);
  return poster === null ? [] : [poster];
}

export const Posters = defineProjection('posters', PosterDocument, {
  shape: '3f397ed0',
  steps: [
    on(JobPosted, byPoster, (poster = EMPTY_POSTER) => ({ ...poster, jobs: poster.jobs + 1 })),
    onExisting(Applied, byPoster, poster => ({ ...poster, applications: poster.applications + 1 })),
    onExisting(Hired, byPoster, poster => ({ ...poster, hires: poster.hires + 1 })),
    onExisting(Delivered, byPoster, (poster, { data }) => {
      return data.delivery === 1 ? { ...poster, deliveries: poster.deliveries + 1 } : poster;
    }),
    onExisting(Disputed, byPoster, (poster, { data }) => ({
      ...poster,
      disputed: poster.disputed + (data.again ? 0 : 1),
    })),
    onExisting(DisputeWithdrawn, byPoster, poster => ({ ...poster, disputed: poster.disputed - 1 })),
    onExisting(Paid, byPoster, poster => ({ ...poster, paid: poster.paid + 1 })),
    onExisting(WageLost, byPoster, poster => ({ ...poster, paid: poster.paid - 1 })),
  ],
});
