import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import type { Role } from '#libs/features/jobs/views/role.shape.js';
import { type ShapeValue, usePageContent } from '#libs/channels/pages/shell/page-content.js';
import { pluralize } from './formats.js';
import { Joined, List } from './lists.js';
import { Skills, PersonLink } from './people.js';
import { type EmptyState, Title, Timestamp } from './texts.js';

export type Job = ShapeValue<typeof Role>;

export const payText = ({ budget }: Pick<Job, 'budget'>): string =>
  budget === null ? 'no pay' : `${budget.usd} ${budget.token}`;

const seatsText = ({ seats, seats_left, status }: Job) =>
  status === 'closed' ? 'closed' : seats === 1 ? 'open' : `${seats_left} of ${seats} seats left`;

/** Closed jobs are not promoted, even if the promotion was paid for longer. */
const isPromoted = ({ status, promoted_until }: Job, now: number) =>
  status === 'open' && promoted_until !== null && now < promoted_until;

function JobRow({ job }: { readonly job: Job }) {
  const { now } = usePageContent();
  return (
    <li>
      <div class="row">
        <Title to={PAGE_PATHS.job(job.slug)} text={job.title} otherwise={job.slug} class="title" />
        <span class={job.budget ? 'aside amount' : 'aside'}>{payText(job)}</span>
      </div>
      <p class="under">
        <Joined
          of={[
            <PersonLink key="poster" id={job.poster} />,
            <Timestamp key="posted" at={job.created_at} day relative />,
            seatsText(job),
            pluralize(job.applicants, 'applicant'),
            isPromoted(job, now) && 'promoted',
          ]}
        />
      </p>
      <Skills skills={job.skills} />
    </li>
  );
}

export const JobList = ({ jobs, empty }: { readonly jobs: readonly Job[]; readonly empty: string | EmptyState }) => (
  <List of={jobs} each={job => <JobRow key={job.slug} job={job} />} empty={empty} />
);
