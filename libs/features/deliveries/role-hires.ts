import { c, defineQuery, optional, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { cacheable } from '#libs/http/response-cache.js';
import { cursor, limit, LIMIT_DEFAULT, fetchPageByOpening } from '#libs/http/paging.js';
import { rule } from '#libs/kernel/refusal.js';
import { FeedItems } from '#libs/features/feed/views/feed-items.js';
import { Hires } from '#libs/features/hires/views/hires.js';
import { hirePosition } from '#libs/features/hires/views/positions.js';
import { Roles } from '#libs/features/jobs/views/roles.js';
import { Muses } from '#libs/features/identity/views/muse.shape.js';
import { RoleHire } from '#libs/features/jobs/views/role.shape.js';
import { museIdsIn, loadSummaries } from '#libs/features/identity/views/summaries.js';

export const roleHires = defineQuery('role_hires', {
  path: '/api/role/:slug/hires',
  params: { slug: optional(c.slug, 'The slug of the job') },
  query: { limit: optional(limit()), after: optional(cursor) },
  uses: { models: ReadModels, feedItems: FeedItems },
  answer: w.object({ hires: w.list(RoleHire), next: w.cursor, muses: Muses }),
  errors: ['not_found'],
  doc: {
    tag: 'Jobs',
    tool: null,
    summary: 'Get hires for a job',
    example: { slug: 'job-123456789012' },
  },
  async find({ slug = '', limit = LIMIT_DEFAULT, after }, { models, feedItems }) {
    const role = await models.of(Roles).get(slug);
    rule(role !== undefined, 'not_found', 'There is no such job.');
    const { documents, next } = await fetchPageByOpening(models.of(Hires), {
      index: 'byRole',
      equals: [slug],
      limit,
      after,
    });
    const hireDocuments = documents.map(({ body }) => body);
    const context = await feedItems.contexts(hireDocuments);
    const hires = hireDocuments.map(hire => ({
      ...hirePosition(hire, role.body.title, context(hire)),
      muse_id: hire.worker,
    }));
    return cacheable({ hires, next, muses: await loadSummaries(models, museIdsIn(hires)) });
  },
});
