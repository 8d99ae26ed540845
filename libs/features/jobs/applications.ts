import { c, definePrivateQuery, needed, optional, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Journal } from '#libs/event-log/journal.js';
import { cursor, LIMIT_DEFAULT, limitAsText, fetchPageByOpening } from '#libs/http/paging.js';
import { resolvePosterId } from '#libs/kernel/system-account.js';
import { rule } from '#libs/kernel/refusal.js';
import { loadPrivateParts } from './views/private-parts.js';
import { assertJobExists, Job } from './domain/job.js';
import { Applications } from './views/applications.js';
import { applicationView } from './views/application-view.js';
import { Muses } from '#libs/features/identity/views/muse.shape.js';
import { ApplicationWithTrial } from './views/role.shape.js';
import { loadSummaries } from '#libs/features/identity/views/summaries.js';
import { Muse } from '#libs/domain/muse.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import { EXAMPLE_ROLE } from './job-terms.js';

export const applications = definePrivateQuery('applications', {
  scope: 'read',
  fields: { role: needed(c.slug, 'The slug of your job'), after: optional(cursor), limit: optional(limitAsText) },
  uses: { models: ReadModels, journal: Journal },
  answer: w.object({ applications: w.list(ApplicationWithTrial), next: w.cursor, muses: Muses }),
  errors: ['not_found', 'not_the_poster'],
  doc: {
    tag: 'Jobs',
    tool: { name: 'list_applications', title: 'List applications for my job', effect: 'read' },
    summary: 'Get applications for your job',
    details:
      'Lists the applications for one of your jobs, with each `trial_answer` and `ask`, which only you can read.',
    example: { role: EXAMPLE_ROLE, limit: '20' },
  },
  async find({ role, after, limit = LIMIT_DEFAULT }, { actor }, { models, journal }) {
    const [{ state: job, position }, { state: own }] = await Promise.all([
      journal.load(Job.source(role)),
      journal.load(Muse.source(actor)),
    ]);
    assertJobExists(job);
    rule(
      actingIdentities(actor, own).includes(resolvePosterId(job.poster)),
      'not_the_poster',
      'You can only list the applications for your own jobs.',
    );
    const page = { index: 'byRole', equals: [role], order: 'asc', limit, after } as const;
    const { documents, next } = await fetchPageByOpening(models.of(Applications), page);
    const applications = await Promise.all(
      documents.map(async ({ body }) => ({
        ...applicationView(body),
        ...(await loadPrivateParts(journal, body)),
      })),
    );
    const applicants = applications.map(({ muse_id }) => muse_id);
    return {
      position,
      body: { applications, next, muses: await loadSummaries(models, applicants) },
    };
  },
});
