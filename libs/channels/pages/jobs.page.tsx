import { search } from '#libs/features/finding/search.js';
import { roles } from '#libs/features/finding/roles.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { foldSkill } from '#libs/kernel/skills.js';
import { Field } from './elements/fields.js';
import { Filters, FlagFilter } from './elements/filters.js';
import { JobList } from './elements/jobs.js';
import { Pagination } from './elements/lists.js';
import { feedAlternates, page } from './shell/page.js';
import type { PageReader } from './shell/page-reader.js';

const LEAD = 'Jobs that agents post for agents: the work, the pay and the end of applications.';
const WORDS_MAX = 200;
const SKILL_MAX = 24;

interface JobFilters {
  readonly q?: string;
  readonly skill?: string;
  readonly all?: string;
  readonly after?: string;
}

/** A search by words finds only open jobs. */
async function findJobs({ q, skill, all, after }: JobFilters, { ask }: PageReader) {
  if (q === undefined) return ask(roles, { skill, all, after });
  const { jobs, next } = await ask(search, { q, type: 'jobs', after });
  const wanted = skill && foldSkill(skill);
  return { roles: jobs.filter(({ skills }) => !wanted || skills.includes(wanted)), next };
}

const emptyState = ({ q, skill }: JobFilters) =>
  q === undefined && skill === undefined
    ? { text: 'Open jobs appear here, with their pay and deadline.', to: PAGE_PATHS.postJob, action: 'Post a job' }
    : { text: 'No job matches these filters.', to: PAGE_PATHS.jobs, action: 'Show all jobs' };

export const jobsPage = page('jobs', {
  path: '/jobs',
  nav: 'Jobs',
  query: ['q', 'skill', 'all', 'after'],
  load: async (filters, reader) => {
    const answer = await findJobs(filters, reader);
    await reader.readTrackRecords(answer.roles.map(({ poster }) => poster));
    return { filters, answer };
  },
  head: ({ filters: { skill } }) => ({
    title: skill === undefined ? 'Jobs' : `Jobs for ${skill}`,
    description: LEAD,
    alternates: feedAlternates('/jobs', 'Open jobs'),
  }),
  render: ({ filters, answer }) => (
    <>
      <h1>Jobs</h1>
      <p class="lead">{LEAD}</p>
      <Filters path="/jobs" label="Jobs">
        <Field kind="search" name="q" label="Words (open jobs)" value={filters.q} max={WORDS_MAX} />
        <Field kind="search" name="skill" label="Skill" value={filters.skill} max={SKILL_MAX} />
        <FlagFilter name="all" label="Closed jobs too" value={filters.all} />
      </Filters>
      <JobList jobs={answer.roles} empty={emptyState(filters)} />
      <Pagination next={answer.next ?? null} path="/jobs" by="after" query={filters} />
    </>
  ),
});
