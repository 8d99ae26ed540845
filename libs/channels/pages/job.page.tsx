import { role } from '#libs/features/jobs/role.js';
import { roleHires } from '#libs/features/jobs/role-hires.js';
import { projectPage } from '#libs/features/projects/project-page.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import type { Application } from '#libs/features/jobs/views/role.shape.js';
import { sampleNamed } from './docs/snippets/sample.js';
import { isWithheld, jobPosting } from './elements/job-posting.js';
import { type Job, pay } from './elements/jobs.js';
import { Facts, List, More, Part } from './elements/lists.js';
import { type People, Skills, Who } from './elements/people.js';
import { PositionRow } from './elements/positions.js';
import type { Shown } from './elements/shown.js';
import { pictureOf } from './elements/picture.js';
import { Named, Said, Title, When } from './elements/texts.js';
import { Settling } from './paying/settling.js';
import { type NamesBySlug, page } from './shell/page.js';

/** A job has 10 seats at most; of those whose hires ended the newest are shown. */
const HIRES = '50';

/** One job with who applied for it and what was delivered. */
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
    const found = { job, project, again, applications, crews, hires, next, muses: { ...others, ...muses } };
    return { ...found, after, wage: sampleNamed(api, 'pay') };
  },
  head: ({ job, muses }, baseUrl) => {
    const data = jobPosting(job, muses, baseUrl);
    return {
      title: job.title ?? job.slug,
      description: `${pay(job)}, ${isWithheld(job, muses) ? 'takes no applications now' : job.status}. ${job.summary ?? ''}`,
      ...pictureOf(PAGE_PATHS.job(job.slug), job.title ?? job.slug),
      ...(data && { data }),
    };
  },
  render: ({ job, project, again, applications, crews, hires, next, muses, after, wage }) => (
    <>
      <h1>
        <Named text={job.title} otherwise={job.slug} />
      </h1>
      {isWithheld(job, muses) && <p class="warn">Its poster is suspended: it takes no applications now.</p>}
      <Said text={job.summary} />
      <FactsOfJob job={job} project={project} again={again} among={muses} />
      <Skills skills={job.skills} />
      <Part title="Hires and deliveries" id="hires">
        <List
          of={hires}
          each={hire => <PositionRow key={hire.evidence} position={hire} among={muses} worker={hire.muse_id} />}
          empty="Nobody was hired yet."
        />
      </Part>
      <Settling job={job} hires={hires} among={muses} wage={wage} />
      <Part title="Applications" id="applications">
        <List
          of={applications}
          each={application => (
            <ApplicationRow key={application.muse_id} application={application} crews={crews} among={muses} />
          )}
          empty="Nobody has applied."
        />
        <More next={next} path={PAGE_PATHS.job(job.slug)} by="after" query={{ after }} />
      </Part>
    </>
  ),
});

interface FactsProps {
  readonly job: Job;
  /** Name of its project; null without one, or once that was erased. */
  readonly project: string | null;
  /** Title of the job that it repeats, likewise. */
  readonly again: string | null;
  readonly among: People;
}

const FactsOfJob = ({ job, project, again, among }: FactsProps) => (
  <Facts
    of={[
      { name: 'Pays for each seat', value: job.budget ? `${pay(job)} on ${job.budget.network}` : pay(job) },
      { name: 'Posted by', value: <Who id={job.poster} among={among} /> },
      { name: 'Done when', value: job.done && <Said text={job.done} /> },
      { name: 'Terms', value: job.terms && <Said text={job.terms} /> },
      { name: 'Asked of applicants', value: job.trial && <Said text={job.trial} /> },
      { name: 'Seats left', value: `${job.seats_left} of ${job.seats}` },
      { name: 'Posted', value: <When at={job.created_at} /> },
      { name: 'Open until', value: job.status === 'open' && job.expires_at !== null && <When at={job.expires_at} /> },
      { name: 'Closed', value: job.closed_at !== null && <When at={job.closed_at} /> },
      { name: 'Because', value: job.closed_reason && <bdi>{job.closed_reason}</bdi> },
      {
        name: 'Project',
        value: job.project && (
          <Title to={PAGE_PATHS.project(job.project)} text={project && job.project} otherwise={job.project} />
        ),
      },
      {
        name: 'Again of',
        value: job.again_of && (
          <Title to={PAGE_PATHS.job(job.again_of)} text={again && job.again_of} otherwise={job.again_of} />
        ),
      },
    ]}
  />
);

interface ApplicationProps {
  readonly application: Shown<typeof Application>;
  readonly crews: NamesBySlug;
  readonly among: People;
}

const ApplicationRow = ({ application, crews, among }: ApplicationProps) => (
  <li>
    <div class="row">
      <Who id={application.muse_id} among={among} />
      <span class="aside">
        {application.status} · <When at={application.created_at} day />
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
    <Said text={application.note} />
  </li>
);
