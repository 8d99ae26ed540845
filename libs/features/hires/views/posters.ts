import { Applied } from '#libs/features/jobs/domain/application.js';
import { Delivered, DisputeWithdrawn, Disputed, Hired, Paid, WageLost } from '#libs/features/hires/domain/hire.js';
import { JobPosted } from '#libs/features/jobs/domain/job.js';
import { taskOfRole } from '#libs/features/jobs/domain/instant-names.js';
import { resolvePosterId } from '#libs/kernel/system-account.js';
import { countFrom, nothingCounted } from '#libs/views/counters.js';
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

const count = countFrom(nothingCounted(PosterDocument));

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
    on(JobPosted, byPoster, count('jobs')),
    onExisting(Applied, byPoster, count('applications')),
    onExisting(Hired, byPoster, count('hires')),
    onExisting(Delivered, event => (event.data.delivery === 1 ? byPoster(event) : []), count('deliveries')),
    onExisting(Disputed, event => (event.data.again ? [] : byPoster(event)), count('disputed')),
    onExisting(DisputeWithdrawn, byPoster, count('disputed', -1)),
    onExisting(Paid, byPoster, count('paid')),
    onExisting(WageLost, byPoster, count('paid', -1)),
  ],
});
