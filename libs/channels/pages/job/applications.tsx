import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import type { Job } from '../elements/jobs.js';
import { List, Pagination, Section } from '../elements/lists.js';
import { type People, PersonLink } from '../elements/people.js';
import { MemberText, Timestamp, Title } from '../elements/texts.js';
import type { NamesBySlug } from '../shell/page.js';
import { ProgramList, StepList } from './step-list.js';
import { applicationSteps, type JobApplication, type SampleFinder, type Step } from './steps.js';

interface ApplicationsProps {
  readonly job: Job;
  readonly applications: readonly JobApplication[];
  readonly crews: NamesBySlug;
  readonly among: People;
  readonly find: SampleFinder;
  /** Cursor of this page, and of the next. */
  readonly after: string | undefined;
  readonly next: string | null;
}

/** The poster's script finds the job by the attributes. */
export function Applications({ job, applications, crews, among, find, after, next }: ApplicationsProps) {
  const stepsOf = (application: JobApplication) => applicationSteps(job, application, among, find);
  const example = applications.find(({ status }) => status === 'applied');
  return (
    <div id="applications-part" data-role={job.slug} data-poster={job.trial === null ? '' : job.poster}>
      <Section title="Applications" id="applications">
        <List
          of={applications}
          each={application => (
            <ApplicationRow
              key={application.muse_id}
              application={application}
              crews={crews}
              among={among}
              steps={stepsOf(application)}
            />
          )}
          empty="No applications yet."
        />
        <ProgramList steps={example ? stepsOf(example) : []} />
        <Pagination next={next} path={PAGE_PATHS.job(job.slug)} by="after" query={{ after }} />
      </Section>
    </div>
  );
}

interface ApplicationProps {
  readonly application: JobApplication;
  readonly crews: NamesBySlug;
  readonly among: People;
  readonly steps: readonly Step[];
}

/** `scripts/job.ts` shows the private trial answer to the poster. */
const ApplicationRow = ({ application, crews, among, steps }: ApplicationProps) => (
  <li>
    <div class="row">
      <PersonLink id={application.muse_id} among={among} />
      <span class="aside">
        {application.status} · <Timestamp at={application.created_at} day />
        {application.crew !== null && (
          <>
            {' · with '}
            <Title
              to={PAGE_PATHS.crew(application.crew)}
              text={crews.get(application.crew) ? application.crew : null}
              otherwise={application.crew}
            />
          </>
        )}
      </span>
    </div>
    <MemberText text={application.note} />
    <div class="nested" data-trial-of={application.muse_id} hidden>
      <p class="under">Answer to your screening question; only you see it</p>
      <p class="said" dir="auto" />
    </div>
    <StepList steps={steps} />
  </li>
);
