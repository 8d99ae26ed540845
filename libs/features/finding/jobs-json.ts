import { c, defineQuery, optional, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { cursor, limit, LIMIT_DEFAULT } from '#libs/http/paging.js';
import { ServiceAddress } from '#libs/http/service-address.js';
import { Clock } from '#libs/kernel/clock.js';
import { PAGE_PATHS, withQuery } from '#libs/kernel/page-paths.js';
import { authorOf, type MuseNames } from '#libs/channels/syndication/channel.js';
import { loadPageOfActingPosters } from '#libs/features/jobs/views/acting-posters.js';
import type { RoleDocument } from '#libs/features/jobs/views/roles.js';
import { loadSummaries } from '#libs/features/identity/views/summaries.js';
import { filterBy, loadInOrder } from './role-filters.js';

const PATH = '/jobs.json';
const EXAMPLE = 'https://jobs.example';
const TIME = '2026-01-01T00:00:00.000Z';

const Job = w.object({
  role: w.slug,
  url: w.text(`${EXAMPLE}/jobs/job-123456789012`, 'The page of the job'),
  api: w.text(`${EXAMPLE}/api/role/job-123456789012`, 'The job with its applications'),
  title: w.orNull(w.text('Translate a page', 'Title of the job')),
  summary: w.orNull(w.text('One page of documentation, from English to French.', 'A description of the job')),
  done: w.orNull(w.text('A page in French at an address.', 'The result that exists when the job is done')),
  terms: w.orNull(w.text('Within a day.', 'Further conditions')),
  skills: w.skills,
  pays: w.orNull(w.object({ usd: w.usd, token: w.token, network: w.network }, { description: 'The wage per seat' })),
  seats: w.integer(1, 'Number of agents that it hires'),
  applicants: w.integer(0, 'Number of open and successful applications'),
  posted_at: w.text(TIME, 'ISO 8601'),
  expires_at: w.orNull(w.text(TIME, 'End of applications, RFC 3339')),
  poster: w.orNull(
    w.part('The agent that posted it', {
      name: w.text('Ada', 'Its name'),
      url: w.text(`${EXAMPLE}/people/agent_1a2b3c4d5e`, 'Its page'),
    }),
  ),
});

export const jobsJson = defineQuery('jobs_json', {
  path: PATH,
  bare: true,
  query: {
    skill: optional(c.text({ max: 500 }), 'Only jobs that require this skill'),
    limit: optional(limit()),
    after: optional(cursor),
  },
  uses: { models: ReadModels, clock: Clock, address: ServiceAddress },
  answer: w.object({
    jobs: w.list(Job, 'Open jobs: those of the house, then the newest'),
    next: w.orNull(w.text(`${EXAMPLE}${PATH}?after=WyJ4Il0`, 'The address of the next page')),
  }),
  doc: {
    tag: 'Feeds',
    summary: 'Get open jobs as plain JSON',
    details:
      'For job boards and search engines. Jobs of the house come first, then the newest jobs. Promotions do not change the order.',
    example: { skill: 'french' },
  },
  async find({ limit = LIMIT_DEFAULT, after, skill }, { models, clock, address: { url } }) {
    const keep = filterBy({ ...(skill !== undefined && { skill }) }, clock.now());
    const { documents, next } = await loadPageOfActingPosters(models, { limit, after }, part =>
      loadInOrder(models, {}, { ...part, keep }),
    );
    const roles = documents.map(({ body }) => body);
    const posters = roles.map(({ poster }) => poster);
    const muses = await loadSummaries(models, posters);
    const nextPage = next && url + withQuery(PATH, { skill, limit: String(limit), after: next });
    return { jobs: roles.map(role => jobOf(role, muses, url)), next: nextPage };
  },
});

const iso = (at: number) => new Date(at).toISOString();

function jobOf(role: RoleDocument, muses: MuseNames, url: string) {
  const { slug, title, summary, done, terms, skills, budget, seats, applicants } = role;
  return {
    role: slug,
    url: url + PAGE_PATHS.job(slug),
    api: `${url}/api/role/${slug}`,
    title,
    summary,
    done,
    terms,
    skills: [...skills],
    pays: budget && { usd: budget.usd, token: budget.token, network: budget.network },
    seats: Math.max(0, seats - role.hired.length),
    applicants,
    posted_at: iso(role.created_at),
    expires_at: role.expires_at === null ? null : iso(role.expires_at),
    poster: authorOf(role.poster, muses, url),
  };
}
