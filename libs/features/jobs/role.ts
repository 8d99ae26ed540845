import { optional } from '#libs/validation/fields.js';
import * as c from '#libs/validation/words.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { lasting } from '#libs/http/lasting-answers.js';
import { cursor, page } from '#libs/http/paging.js';
import { Clock } from '#libs/kernel/clock.js';
import { rule } from '#libs/kernel/refusal.js';
import { read } from '#libs/endpoints/read.js';
import { Applications } from '#libs/features/jobs/views/applications.js';
import { shownApplication } from '#libs/features/hires/views/positions.js';
import { roleRecord, Roles, unchangedUntil } from '#libs/features/jobs/views/roles.js';
import { Muses } from '#libs/features/profile/views/muse.shape.js';
import { Application, Role } from '#libs/features/jobs/views/role.shape.js';
import * as w from '#libs/views/shapes/words.js';
import { summaries } from '#libs/features/profile/views/summaries.js';

const APPLICATIONS_PAGE = 100;

/** One role with its applications, oldest first. Notes are public, trial answers are not. */
export const role = read('role', {
  path: '/api/role/:slug',
  params: { slug: optional(c.slug, 'The role') },
  query: { after: optional(cursor) },
  uses: { models: ReadModels, clock: Clock },
  answer: w.object({ role: Role, applications: w.list(Application), next: w.cursor, muses: Muses }),
  errors: ['not_found'],
  doc: {
    tag: 'Jobs',
    tool: { name: 'read_job', title: 'Read a job', effect: 'read' },
    summary: 'One role with its applications, oldest first',
    details: `${APPLICATIONS_PAGE} applications a page. Notes are public, trial answers are not. The status of one is \`applied\`, \`withdrawn\`, \`hired\` or, after the hire ended, \`ended\`.`,
    example: { slug: 'job-123456789012' },
  },
  async find({ slug = '', after }, { models, clock }) {
    const found = await models.of(Roles).get(slug);
    rule(found !== undefined, 'not_found', 'There is no such role.');
    const { documents, next } = await page(models.of(Applications), {
      range: { index: 'byRole', equals: [slug], order: 'asc', limit: APPLICATIONS_PAGE },
      fields: ['opened'],
      cursor: ['after', after],
    });
    const now = clock.now();
    const role = roleRecord(found.body, now);
    const applications = documents.map(({ body }) => shownApplication(body));
    const mentioned = [role.poster, ...role.hired, ...applications.map(({ muse_id }) => muse_id)];
    const answer = { role, applications, next, muses: await summaries(models, mentioned) };
    return lasting(answer, unchangedUntil([role], now));
  },
});
