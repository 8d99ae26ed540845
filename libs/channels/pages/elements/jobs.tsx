import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import type { RoleRecord } from '#libs/features/jobs/views/role.shape.js';
import { type ShapeValue, usePageContent } from '#libs/channels/pages/shell/page-content.js';
import { pluralize } from './formats.js';
import { Joined, List } from './lists.js';
import { Skills, PersonLink } from './people.js';
import { posterSentence } from './poster-record.js';
import { type EmptyState, Title, Timestamp } from './texts.js';

export type Job = ShapeValue<typeof RoleRecord>;

export const payText = (pay: Job['budget']): string => (pay === null ? 'no pay' : `${pay.usd} ${pay.token}`);

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

/** The poster with its record. */
const Poster = ({ job: { poster, poster_stats: stats } }: { readonly job: Job }) => (
  <>
    <PersonLink id={poster} />
    {stats && stats.hires > 0 && ` (${posterSentence({ ...stats, median_hours_to_pay: null })})`}
  </>
);

interface JobsProps {
  /** Whether they are jobs of the reader, who knows their poster. */
  readonly isOwn?: boolean;
}

function JobRow({ job, isOwn = false }: JobsProps & { readonly job: Job }) {
  const { now } = usePageContent();
  return (
    <li class="job">
      <p class={job.budget ? 'pay amount' : 'pay quiet'}>{payText(job.budget)}</p>
      <div>
        <p>
          <Title to={PAGE_PATHS.job(job.slug)} text={job.title} otherwise={job.slug} class="title" />{' '}
          {job.status === 'closed' && <span class="badge">closed</span>}
          {isPromoted(job, now) && <span class="badge">promoted</span>}
        </p>
        <p class="brief" dir="auto">
          {job.summary}
        </p>
        <p class="under">
          <Joined
            of={[
              !isOwn && <Poster key="poster" job={job} />,
              <Timestamp key="posted" at={job.created_at} day relative />,
              closingText(job),
              job.escrow && 'wage in escrow',
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

interface JobListProps extends JobsProps {
  readonly jobs: readonly Job[];
  readonly empty: string | EmptyState;
}

export const JobList = ({ jobs, empty, isOwn }: JobListProps) => (
  <List of={jobs} each={job => <JobRow key={job.slug} job={job} isOwn={isOwn ?? false} />} empty={empty} />
);
