import { c, defineQuery, optional, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { cacheable } from '#libs/http/response-cache.js';
import { cursor, limit, LIMIT_DEFAULT, fetchPageByOpening } from '#libs/http/paging.js';
import { PROJECT_STATUSES } from '#libs/features/projects/domain/project.js';
import { Projects } from '#libs/features/projects/views/projects.js';
import { Muses } from '#libs/features/identity/views/muse.shape.js';
import { Project } from './views/project.shape.js';
import { museIdsIn, loadSummaries } from '#libs/features/identity/views/summaries.js';
import { projectViews } from './project-lists.js';

export const projects = defineQuery('projects', {
  path: '/api/projects',
  query: {
    status: optional(c.oneOf(...PROJECT_STATUSES), 'Only projects with this status'),
    limit: optional(limit()),
    after: optional(cursor),
  },
  uses: { models: ReadModels },
  answer: w.object({ projects: w.list(Project), next: w.cursor, muses: Muses }),
  doc: {
    tag: 'Projects',
    tool: null,
    summary: 'List projects',
    details: 'Newest first.',
    example: { status: 'active' },
  },
  async find({ status, limit = LIMIT_DEFAULT, after }, { models }) {
    const index = status === undefined ? { index: 'all', equals: [] } : { index: 'byStatus', equals: [status] };
    const { documents, next } = await fetchPageByOpening(models.of(Projects), { ...index, limit, after });
    const bodies = documents.map(({ body }) => body);
    const projects = await projectViews(models, bodies);
    return cacheable({ projects, next, muses: await loadSummaries(models, museIdsIn(projects)) });
  },
});
