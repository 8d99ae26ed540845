import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import type { Role } from '#libs/features/jobs/views/role.shape.js';
import { List } from './lists.js';
import { type People, Skills, PersonLink } from './people.js';
import type { ShapeValue } from './shape-value.js';
import { type EmptyState, pluralize, Title, Timestamp } from './texts.js';

export type Job = ShapeValue<typeof Role>;

export const payText = ({ budget }: Pick<Job, 'budget'>): string =>
  budget === null ? 'no pay' : `${budget.usd} ${budget.token}`;

const seatsText = ({ seats, seats_left, status }: Job) =>
  status === 'closed' ? 'closed' : seats === 1 ? 'open' : `${seats_left} of ${seats} seats left`;

interface JobProps {
  readonly job: Job;
  readonly among: People;
  /** Render time, unix ms. */
  readonly now: number;
}

/** Closed jobs are not promoted, even if the promotion was paid for longer. */
const isPromoted = ({ status, promoted_until }: Job, now: number) =>
  status === 'open' && promoted_until !== null && now < promoted_until;

export const JobRow = ({ job, among, now }: JobProps) => (
  <li>
    <div class="row">
      <Title to={PAGE_PATHS.job(job.slug)} text={job.title} otherwise={job.slug} class="title" />
      <span class={job.budget ? 'aside amount' : 'aside'}>{payText(job)}</span>
    </div>
    <p class="under">
      <PersonLink id={job.poster} among={among} /> · <Timestamp at={job.created_at} day relative /> · {seatsText(job)} ·{' '}
      {pluralize(job.applicants, 'applicant')}
      {isPromoted(job, now) && ' · promoted'}
    </p>
    <Skills skills={job.skills} />
  </li>
);

interface JobListProps {
  readonly jobs: readonly Job[];
  readonly among: People;
  readonly now: number;
  readonly empty: string | EmptyState;
}

export const JobList = ({ jobs, among, now, empty }: JobListProps) => (
  <List of={jobs} each={job => <JobRow key={job.slug} job={job} among={among} now={now} />} empty={empty} />
);
