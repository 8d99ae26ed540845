import type { RoleHire } from '#libs/features/jobs/views/role.shape.js';
import type { HireDetails } from '#libs/features/records/hire-details.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { chainTitle } from '#libs/payments/rails.js';
import { BlockForms } from '#libs/channels/pages/elements/block-forms.js';
import { Delivered, type PostTexts } from '#libs/channels/pages/elements/delivered.js';
import { EscrowState } from '#libs/channels/pages/elements/escrow-state.js';
import { countDays, escrowSentence, isWageHeld } from '#libs/channels/pages/elements/escrow-texts.js';
import { type Job, payText } from '#libs/channels/pages/elements/jobs.js';
import { Link } from '#libs/channels/pages/elements/links.js';
import { Facts, Joined, List, Pagination, Row, Section } from '#libs/channels/pages/elements/lists.js';
import { PersonLink } from '#libs/channels/pages/elements/people.js';
import { type PosterStats, posterSentence } from '#libs/channels/pages/elements/poster-record.js';
import { positionStatusText, UNDECIDED, UNPAID } from '#libs/channels/pages/elements/positions.js';
import { MemberText, Timestamp, Title } from '#libs/channels/pages/elements/texts.js';
import { PaymentPanel } from '#libs/channels/pages/paying/payment-panel.js';
import { type ShapeValue, usePageContent } from '#libs/channels/pages/shell/page-content.js';
import type { NamesBySlug } from '#libs/channels/pages/shell/page-reader.js';
import { hireSteps, replySteps } from './hire-steps.js';
import { applicationSteps, type JobApplication, ProgramList, type Step, StepList } from './steps.js';
import { Timeline } from './timeline.js';

interface JobCardProps {
  readonly job: Job;
  /** Null until the first job of the poster. */
  readonly stats: PosterStats | null;
  /** Name of the project; null without one or once erased. */
  readonly project: string | null;
  /** Title of the job that it repeats; null without one or once erased. */
  readonly again: string | null;
  /** Time to deliver; null without a deadline. */
  readonly time: string | null;
  /** Days to pay; null without a term. */
  readonly payTime: string | null;
  readonly steps: readonly Step[];
  /** Reason why the job takes no applications; null while the job is open to applications. */
  readonly closed: string | null;
}

const REASONS: { readonly [reason in NonNullable<Job['closed_reason']>]: string } = {
  filled: 'All seats are filled',
  closed: 'Closed by the poster',
  expired: 'Its time is over',
  removed: 'Removed',
};

const NO_SCRIPT_NOTE =
  'To act on this page you need JavaScript, which has not run, and the key that you joined with. Or use a program.';

const PAYMENT_NOTE =
  'Nobody holds this money: the poster pays the worker directly after the delivery. There is no escrow.';

/** Terms of a job and the record of its poster. */
export const JobCard = ({ steps, closed, ...job }: JobCardProps) => (
  <section class="card" aria-labelledby="terms">
    <h2 id="terms" class="price">
      <Price job={job.job} />
    </h2>
    <JobFacts {...job} />
    {job.job.budget && <p class="quiet">{job.job.escrow ? escrowSentence(job.job.escrow) : PAYMENT_NOTE}</p>}
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
      <span class="amount">{payText(job.budget)}</span> on {chainTitle(job.budget.network)}
      {job.seats > 1 && ' per seat'}
    </>
  );

const JobFacts = ({ job, stats, project, again, time, payTime }: Omit<JobCardProps, 'steps' | 'closed'>) => (
  <Facts
    of={{
      'Seats left': `${job.seats_left} of ${job.seats}`,
      'Time to deliver': time,
      'Time to pay': payTime,
      'Time to review': job.escrow && countDays(job.escrow.review_days),
      Arbiter: job.escrow?.arbiter && <PersonLink id={job.escrow.arbiter} />,
      'Open until': job.status === 'open' && job.expires_at !== null && <Timestamp at={job.expires_at} />,
      Closed: job.closed_at !== null && <Timestamp at={job.closed_at} />,
      Reason: job.closed_reason && REASONS[job.closed_reason],
      'Note of the poster': job.close_note && <bdi>{job.close_note}</bdi>,
      'Posted by': <PersonLink id={job.poster} />,
      'Record of the poster': stats && posterSentence(stats),
      Posted: <Timestamp at={job.created_at} />,
      Project: job.project && (
        <Title to={PAGE_PATHS.project(job.project)} text={project && job.project} otherwise={job.project} />
      ),
      Repeats: job.again_of && (
        <Title to={PAGE_PATHS.job(job.again_of)} text={again && job.again_of} otherwise={job.again_of} />
      ),
    }}
  />
);

interface HireCardProps {
  readonly position: ShapeValue<typeof RoleHire>;
  readonly details: HireDetails;
  readonly texts: PostTexts;
  readonly playMoney: boolean;
  /** Terms of the job; null without an escrow. */
  readonly terms: Job['escrow'];
}

/** Classes of `.badge` by status. */
const TONES: { readonly [status: string]: string } = {
  paid: 'good',
  accepted: 'good',
  [UNPAID]: 'info',
  disputed: 'warn',
  hired: 'info',
  [UNDECIDED]: 'info',
};

/** A hire: its timeline and the steps that are possible now. */
export function HireCard({ position, details, texts, playMoney, terms }: HireCardProps) {
  const { hire, worker, acceptance, escrow, dispute, delivery, ended, deliver_by } = details.hire;
  const status = positionStatusText(position);
  const content = usePageContent();
  const isUnpaid = details.hire.wage !== null && details.hire.paid === null && !isWageHeld(escrow);
  const steps = hireSteps(details.hire, content, terms?.arbiter ?? null);
  const newest = details.rechecks.at(-1);
  const replies = newest ? replySteps(details.hire, newest, content.actors) : [];
  return (
    <article class="card" id={`hire-${hire}`}>
      <div class="row">
        <h3>
          <PersonLink id={worker} /> {isUnpaid && <UnpayableBadge id={worker} />}{' '}
          <span class={`badge ${TONES[status] ?? ''}`}>{status}</span>
        </h3>
        <Link to={PAGE_PATHS.record(hire)} class="aside">
          signed record
        </Link>
      </div>
      {deliver_by !== null && !delivery && !ended && (
        <p class="quiet">
          To be delivered by <Timestamp at={deliver_by} />, or the hire ends.
        </p>
      )}
      {position.due_at !== null && isUnpaid && (
        <p class="quiet">
          {position.overdue ? 'The wage has been overdue since' : 'To be paid by'} <Timestamp at={position.due_at} />.
        </p>
      )}
      {escrow && terms && <EscrowState escrow={escrow} isDisputed={dispute?.state === 'open'} terms={terms} />}
      <Timeline details={details} playMoney={playMoney} />
      <Delivered delivery={position.delivery} texts={texts} isOpen={acceptance === null || isUnpaid} />
      <StepList steps={steps} />
      <ProgramList steps={[...steps, ...replies]} />
    </article>
  );
}

interface ApplicationsProps {
  /** With the agent that acts for its poster. */
  readonly job: Job;
  readonly isHiring: boolean;
  readonly applications: readonly JobApplication[];
  readonly crews: NamesBySlug;
  /** Cursor of this page, and of the next. */
  readonly after: string | undefined;
  readonly next: string | null;
}

/** The poster's script finds the job by the attributes. */
export function Applications({ job, isHiring, applications, crews, after, next }: ApplicationsProps) {
  const stepsOf = (application: JobApplication) => applicationSteps(job, application, isHiring);
  const example = applications.find(({ status }) => status === 'applied');
  return (
    <div
      id="applications-part"
      data-role={job.slug}
      data-poster={job.trial === null && job.budget === null ? '' : job.poster}
    >
      <Section title="Applications" id="applications">
        <List
          of={applications}
          each={each => (
            <ApplicationRow key={each.muse_id} job={job} application={each} crews={crews} steps={stepsOf(each)} />
          )}
          empty="No applications yet."
        />
        <ProgramList steps={example ? stepsOf(example) : []} />
        <Pagination next={next} path={PAGE_PATHS.job(job.slug)} by="after" query={{ after }} />
      </Section>
    </div>
  );
}

/** A wage needs an address. */
const UnpayableBadge = ({ id }: { readonly id: string }) =>
  usePageContent().unpayable.has(id) ? <span class="badge warn">cannot be paid yet</span> : null;

interface ApplicationProps {
  readonly job: Job;
  readonly application: JobApplication;
  readonly crews: NamesBySlug;
  readonly steps: readonly Step[];
}

/** `scripts/job.ts` shows the private ask and answer to the poster. */
function ApplicationRow({ job, application, crews, steps }: ApplicationProps) {
  const { muse_id, status, created_at, crew, note } = application;
  const isPaidJob = job.budget !== null;
  const crewLink = crew !== null && (
    <>
      with <Title to={PAGE_PATHS.crew(crew)} text={crews.get(crew) ? crew : null} otherwise={crew} />
    </>
  );
  return (
    <li>
      <Row aside={<Joined of={[status, <Timestamp key="at" at={created_at} day />, crewLink]} />}>
        <PersonLink id={muse_id} /> {isPaidJob && <UnpayableBadge id={muse_id} />}
      </Row>
      <MemberText text={note} />
      <p class="under" data-ask-of={muse_id} data-token={job.budget?.token} hidden />
      <div class="nested" data-answer-of={muse_id} hidden>
        <p class="under">Answer to your screening question; only you see it</p>
        <p class="said" dir="auto" />
      </div>
      <StepList steps={steps} />
      <div class="acts">
        <BlockForms identities={[muse_id]} only={[job.poster ?? '']} />
      </div>
    </li>
  );
}
