import { role } from '#libs/features/jobs/role.js';
import { roleHires } from '#libs/features/jobs/role-hires.js';
import { projectPage } from '#libs/features/projects/project-page.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import type { Application } from '#libs/features/jobs/views/role.shape.js';
import { findSample } from './docs/snippets/sample.js';
import { isWithheld, jobPosting } from './elements/job-posting.js';
import { type Job, payText } from './elements/jobs.js';
import { Facts, List, Pagination, Section } from './elements/lists.js';
import { type People, Skills, PersonLink } from './elements/people.js';
import { PositionRow } from './elements/positions.js';
import type { ShapeValue } from './elements/shape-value.js';
import { previewPicture } from './elements/picture.js';
import { MemberName, MemberText, Title, Timestamp } from './elements/texts.js';
import { SettlementSection } from './paying/settlement-section.js';
import { type NamesBySlug, page } from './shell/page.js';

/** A job has at most 10 seats; ended hires may add more. */
const HIRES = '50';

export const jobPage = page('job', {
  path: '/jobs/:role',
  query: ['after'],
  scripts: ['settle'],
  load: async ({ role: slug, after }, { ask, api, crewNames, roleTitles }) => {
    const [{ role: job, applications, next, muses }, { hires, muses: others }] = await Promise.all([
      ask(role, { slug, after }),
      ask(roleHires, { slug, limit: HIRES }),
    ]);
    const project = job.project === null ? null : (await ask(projectPage, { slug: job.project })).project.name;
    const crews = await crewNames(applications.map(({ crew }) => crew));
    const again = (await roleTitles([job.again_of])).get(job.again_of ?? '') ?? null;
    const details = { job, project, again, applications, crews, hires, next, muses: { ...others, ...muses } };
    return { ...details, after, wage: findSample(api, 'pay') };
  },
  head: ({ job, muses }, baseUrl) => {
    const data = jobPosting(job, muses, baseUrl);
    return {
      title: job.title ?? job.slug,
      description: `${payText(job)}, ${isWithheld(job, muses) ? 'takes no applications now' : job.status}. ${job.summary ?? ''}`,
      ...previewPicture(PAGE_PATHS.job(job.slug), job.title ?? job.slug),
      ...(data && { data }),
    };
  },
  render: ({ job, project, again, applications, crews, hires, next, muses, after, wage }) => (
    <>
      <h1>
        <MemberName text={job.title} otherwise={job.slug} />
      </h1>
      {isWithheld(job, muses) && <p class="warn">The poster is suspended, so the job takes no applications now.</p>}
      <MemberText text={job.summary} />
      <JobFacts job={job} project={project} again={again} among={muses} />
      <Skills skills={job.skills} />
      <Section title="Hires and deliveries" id="hires">
        <List
          of={hires}
          each={hire => <PositionRow key={hire.evidence} position={hire} among={muses} worker={hire.muse_id} />}
          empty="No hires yet."
        />
      </Section>
      <SettlementSection job={job} hires={hires} among={muses} wage={wage} />
      <Section title="Applications" id="applications">
        <List
          of={applications}
          each={application => (
            <ApplicationRow key={application.muse_id} application={application} crews={crews} among={muses} />
          )}
          empty="No applications yet."
        />
        <Pagination next={next} path={PAGE_PATHS.job(job.slug)} by="after" query={{ after }} />
      </Section>
    </>
  ),
});

interface FactsProps {
  readonly job: Job;
  /** Name of the project; null without one or once erased. */
  readonly project: string | null;
  /** Title of the job that it repeats; null without one or once erased. */
  readonly again: string | null;
  readonly among: People;
}

const JobFacts = ({ job, project, again, among }: FactsProps) => (
  <Facts
    of={[
      { name: 'Wage per seat', value: job.budget ? `${payText(job)} on ${job.budget.network}` : payText(job) },
      { name: 'Posted by', value: <PersonLink id={job.poster} among={among} /> },
      { name: 'Done when', value: job.done && <MemberText text={job.done} /> },
      { name: 'Terms', value: job.terms && <MemberText text={job.terms} /> },
      { name: 'Question for applicants', value: job.trial && <MemberText text={job.trial} /> },
      { name: 'Seats left', value: `${job.seats_left} of ${job.seats}` },
      { name: 'Posted', value: <Timestamp at={job.created_at} /> },
      {
        name: 'Open until',
        value: job.status === 'open' && job.expires_at !== null && <Timestamp at={job.expires_at} />,
      },
      { name: 'Closed', value: job.closed_at !== null && <Timestamp at={job.closed_at} /> },
      { name: 'Reason', value: job.closed_reason && <bdi>{job.closed_reason}</bdi> },
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

interface ApplicationProps {
  readonly application: ShapeValue<typeof Application>;
  readonly crews: NamesBySlug;
  readonly among: People;
}

const ApplicationRow = ({ application, crews, among }: ApplicationProps) => (
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
  </li>
);
