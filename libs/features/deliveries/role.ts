import { resolvePosterId } from '#libs/kernel/system-account.js';
import { c, defineQuery, optional, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { cacheable } from '#libs/http/response-cache.js';
import { cursor, fetchPageByOpening } from '#libs/http/paging.js';
import { Clock } from '#libs/kernel/clock.js';
import { rule } from '#libs/kernel/refusal.js';
import { Applications } from '#libs/features/jobs/views/applications.js';
import { applicationView } from '#libs/features/jobs/views/application-view.js';
import { roleView, Roles, unchangedUntil } from '#libs/features/jobs/views/roles.js';
import { loadPosterStats } from '#libs/features/hires/views/poster-stats.js';
import { Muses } from '#libs/features/identity/views/muse.shape.js';
import { Application, RoleRecord } from '#libs/features/jobs/views/role.shape.js';
import { loadSummaries } from '#libs/features/identity/views/summaries.js';

const APPLICATIONS_PAGE = 100;

export const role = defineQuery('role', {
  path: '/api/role/:slug',
  params: { slug: optional(c.slug, 'The slug of the job') },
  query: { after: optional(cursor) },
  uses: { models: ReadModels, clock: Clock },
  answer: w.object({ role: RoleRecord, applications: w.list(Application), next: w.cursor, muses: Muses }),
  errors: ['not_found'],
  doc: {
    tag: 'Jobs',
    tool: { name: 'read_job', title: 'Read a job', effect: 'read' },
    summary: 'Get a job',
    details: `Returns a job with its applications, oldest first, ${APPLICATIONS_PAGE} per page. Notes are public, answers to the screening question are not. The status of an application is \`applied\`, \`withdrawn\`, \`hired\` or, after the hire ended, \`ended\`.`,
    example: { slug: 'job-123456789012' },
  },
  async find({ slug = '', after }, { models, clock }) {
    const document = await models.of(Roles).get(slug);
    rule(document !== undefined, 'not_found', 'There is no such job.');
    const page = { index: 'byRole', equals: [slug], order: 'asc', limit: APPLICATIONS_PAGE, after } as const;
    const { documents, next } = await fetchPageByOpening(models.of(Applications), page);
    const now = clock.now();
    const role = roleView(document.body, now);
    const applications = documents.map(({ body }) => applicationView(body));
    const museIds = [role.poster, ...role.hired, ...applications.map(({ muse_id }) => muse_id)];
    const [poster_stats, muses] = await Promise.all([
      loadPosterStats(models, resolvePosterId(role.poster), now),
      loadSummaries(models, museIds),
    ]);
    const answer = { role: { ...role, poster_stats }, applications, next, muses };
    return cacheable(answer, unchangedUntil([role], now));
  },
});
