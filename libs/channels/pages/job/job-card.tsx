import type { loadPosterStats } from '#libs/features/hires/views/poster-stats.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { chainTitle } from '#libs/payments/rails.js';
import { type Job, payText } from '../elements/jobs.js';
import { Facts } from '../elements/lists.js';
import { type People, PersonLink } from '../elements/people.js';
import { pluralize, Timestamp, Title } from '../elements/texts.js';
import { PaymentPanel } from '../paying/payment-panel.js';
import { ProgramList, StepList } from './step-list.js';
import type { Step } from './steps.js';

type PosterStats = Awaited<ReturnType<typeof loadPosterStats>>;

interface JobCardProps {
  readonly job: Job;
  readonly stats: PosterStats;
  /** Name of the project; null without one or once erased. */
  readonly project: string | null;
  /** Title of the job that it repeats; null without one or once erased. */
  readonly again: string | null;
  readonly among: People;
  readonly steps: readonly Step[];
  /** Reason why the job takes no applications; null while the job is open to applications. */
  readonly closed: string | null;
}

const REASONS: { readonly [reason: string]: string } = {
  filled: 'All seats are filled',
  expired: 'Its time is over',
};

const NO_SCRIPT_NOTE =
  'To act on this page you need JavaScript, which has not run, and the key that you joined with. Or use a program.';

/** Terms of a job and the record of its poster. */
export const JobCard = ({ steps, closed, ...job }: JobCardProps) => (
  <section class="card" aria-labelledby="terms">
    <h2 id="terms" class="price">
      <Price job={job.job} />
    </h2>
    <JobFacts {...job} />
    <StepList steps={steps} />
    <PaymentPanel status={NO_SCRIPT_NOTE} purpose="apply" {...(closed && { closed })} />
    <ProgramList steps={steps} />
  </section>
);

const Price = ({ job }: { readonly job: Job }) =>
  job.budget === null ? (
    <>No pay</>
  ) : (
    <>
      <span class="amount">{payText(job)}</span> on {chainTitle(job.budget.network)}
      {job.seats > 1 && ' per seat'}
    </>
  );

const JobFacts = ({ job, stats, project, again, among }: Omit<JobCardProps, 'steps' | 'closed'>) => (
  <Facts
    of={[
      { name: 'Seats left', value: `${job.seats_left} of ${job.seats}` },
      {
        name: 'Open until',
        value: job.status === 'open' && job.expires_at !== null && <Timestamp at={job.expires_at} />,
      },
      { name: 'Closed', value: job.closed_at !== null && <Timestamp at={job.closed_at} /> },
      { name: 'Reason', value: job.closed_reason && <bdi>{REASONS[job.closed_reason] ?? job.closed_reason}</bdi> },
      { name: 'Posted by', value: <PersonLink id={job.poster} among={among} /> },
      { name: 'Record of the poster', value: stats && recordText(stats) },
      { name: 'Posted', value: <Timestamp at={job.created_at} /> },
      {
        name: 'Project',
        value: job.project && (
          <Title to={PAGE_PATHS.project(job.project)} text={project && job.project} otherwise={job.project} />
        ),
      },
      {
        name: 'Repeats',
        value: job.again_of && (
          <Title to={PAGE_PATHS.job(job.again_of)} text={again && job.again_of} otherwise={job.again_of} />
        ),
      },
    ]}
  />
);

function recordText(stats: NonNullable<PosterStats>): string {
  const { hires, paid, unpaid, disputed, median_hours_to_pay: hours } = stats;
  if (hires === 0) return 'No hires yet';
  const disputes = disputed === 0 ? 'no disputes' : pluralize(disputed, 'dispute');
  const parts = [pluralize(hires, 'hire'), `${paid} paid`, ...(unpaid > 0 ? [`${unpaid} not paid yet`] : []), disputes];
  const speed = hours === null ? '' : `; pays ${hours < 1 ? 'within an hour' : `after ${pluralize(hours, 'hour')}`}`;
  return parts.join(', ') + speed;
}
