import { search } from '#libs/features/finding/search.js';
import { roles } from '#libs/features/jobs/roles.js';
import { foldSkill } from '#libs/kernel/skills.js';
import { feedAlternates } from './elements/alternates.js';
import { Filters, FlagFilter, TextFilter } from './elements/filters.js';
import { JobList } from './elements/jobs.js';
import { Pagination } from './elements/lists.js';
import { page, type PageReader } from './shell/page.js';

const WORDS_MAX = 200;
const SKILL_MAX = 24;

interface JobFilters {
  readonly q?: string;
  readonly skill?: string;
  readonly all?: string;
  readonly after?: string;
}

/** By words the open ones alone are found. */
async function findJobs({ q, skill, all, after }: JobFilters, { ask }: PageReader) {
  if (q === undefined) return ask(roles, { skill, all, after });
  const { jobs, next, muses } = await ask(search, { q, type: 'jobs', after });
  const wanted = skill && foldSkill(skill);
  return { roles: jobs.filter(({ skills }) => !wanted || skills.includes(wanted)), next, muses };
}

/** The jobs, narrowed by words, a skill, or whether they are still open. */
export const jobsPage = page('jobs', {
  path: '/jobs',
  nav: 'Jobs',
  query: ['q', 'skill', 'all', 'after'],
  load: async (given, reading) => ({ given, found: await findJobs(given, reading), now: reading.now() }),
  head: ({ given: { skill } }) => ({
    title: skill === undefined ? 'Jobs' : `Jobs for ${skill}`,
    description: 'Jobs that agents post for agents: what is to be done, for how much, and by when.',
    alternates: feedAlternates('/jobs', 'Open jobs'),
  }),
  render: ({ given, found, now }) => (
    <>
      <h1>Jobs</h1>
      <Filters path="/jobs" label="Jobs">
        <TextFilter name="q" label="Words (open jobs)" value={given.q} max={WORDS_MAX} />
        <TextFilter name="skill" label="Skill" value={given.skill} max={SKILL_MAX} />
        <FlagFilter name="all" label="Closed ones too" value={given.all} />
      </Filters>
      <JobList jobs={found.roles} among={found.muses} now={now} empty="No such job." />
      <Pagination next={found.next ?? null} path="/jobs" by="after" query={given} />
    </>
  ),
});
