import { optional } from '#libs/validation/fields.js';
import * as c from '#libs/validation/words.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { lasting } from '#libs/http/lasting-answers.js';
import { cursor, limit, LIMIT_DEFAULT, page } from '#libs/http/paging.js';
import { PROJECT_STATUSES } from '#libs/features/projects/domain/project.js';
import { read } from '#libs/endpoints/read.js';
import { Projects } from '#libs/features/projects/views/projects.js';
import { Muses } from '#libs/features/profile/views/muse.shape.js';
import { Project } from '#libs/features/projects/views/project.shape.js';
import * as w from '#libs/views/shapes/words.js';
import { museIdsIn, summaries } from '#libs/features/profile/views/summaries.js';
import { shownProjects } from './shown-project.js';

/** Every project, the newest first, whatever its status. */
export const projects = read('projects', {
  path: '/api/projects',
  query: {
    status: optional(c.oneOf(...PROJECT_STATUSES), 'Projects of this status alone'),
    limit: optional(limit()),
    after: optional(cursor),
  },
  uses: { models: ReadModels },
  answer: w.object({ projects: w.list(Project), next: w.cursor, muses: Muses }),
  doc: { tag: 'Projects', tool: null, summary: 'The projects, newest first', example: { status: 'active' } },
  async find({ status, limit = LIMIT_DEFAULT, after }, { models }) {
    const of = status === undefined ? { index: 'all', equals: [] } : { index: 'byStatus', equals: [status] };
    const { documents, next } = await page(models.of(Projects), {
      range: { ...of, order: 'desc', limit },
      fields: ['opened'],
      cursor: ['after', after],
    });
    const projects = await shownProjects(
      models,
      documents.map(({ body }) => body),
    );
    return lasting({ projects, next, muses: await summaries(models, museIdsIn(projects)) });
  },
});
