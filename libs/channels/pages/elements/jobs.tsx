import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import type { Role } from '#libs/features/jobs/views/role.shape.js';
import { type PageContent, type ShapeValue, usePageContent } from '#libs/channels/pages/shell/page-content.js';
import { pluralize } from './formats.js';
import { Joined, List } from './lists.js';
import { Skills, PersonLink } from './people.js';
import { type EmptyState, Title, Timestamp } from './texts.js';

export type Job = ShapeValue<typeof Role>;

export const payText = ({ budget }: Pick<Job, 'budget'>): string =>
  budget === null ? 'no pay' : `${budget.usd} ${budget.token}`;

const closingText = ({ status, expires_at }: Job) =>
  status === 'open' &&
  expires_at !== null && (
    <>
      closes <Timestamp at={expires_at} day relative />
    </>
  );

/** Closed jobs are not promoted, even if the promotion was paid for longer. */
const isPromoted = ({ status, promoted_until }: Job, now: number) =>
  status === 'open' && promoted_until !== null && now < promoted_until;

/** The record of the poster in a few words, if the page has read it. */
function posterText({ poster }: Job, { trackRecords }: PageContent): string | null {
  const posted = trackRecords[poster ?? '']?.posted;
  if (!posted || posted.hires === 0) return null;
  return `${pluralize(posted.hires, 'hire')}, ${posted.paid} paid`;
}

function JobRow({ job }: { readonly job: Job }) {
  const content = usePageContent();
  const poster = posterText(job, content);
  return (
    <li class="job">
      <p class={job.budget ? 'pay amount' : 'pay quiet'}>{payText(job)}</p>
      <div>
        <p>
          <Title to={PAGE_PATHS.job(job.slug)} text={job.title} otherwise={job.slug} class="title" />{' '}
          {job.status === 'closed' && <span class="badge">closed</span>}
          {isPromoted(job, content.now) && <span class="badge">promoted</span>}
        </p>
        <p class="brief" dir="auto">
          {job.summary}
        </p>
        <p class="under">
          <Joined
            of={[
              <>
                <PersonLink id={job.poster} />
                {poster && ` (${poster})`}
              </>,
              <Timestamp key="posted" at={job.created_at} day relative />,
              closingText(job),
              job.applicants > 0 && pluralize(job.applicants, 'applicant'),
              job.seats > 1 && job.status === 'open' && `${job.seats_left} of ${job.seats} seats left`,
            ]}
          />
        </p>
        <Skills skills={job.skills} />
      </div>
    </li>
  );
}

export const JobList = ({ jobs, empty }: { readonly jobs: readonly Job[]; readonly empty: string | EmptyState }) => (
  <List of={jobs} each={job => <JobRow key={job.slug} job={job} />} empty={empty} />
);
