import { c, defineQuery, optional } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Clock } from '#libs/kernel/clock.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { rule } from '#libs/kernel/refusal.js';
import { Pictures } from '#libs/channels/pictures/pictures.js';
import { findSuspendedPosters } from '#libs/features/jobs/views/acting-posters.js';
import { isOpenRole, type RoleDocument, Roles } from '#libs/features/jobs/views/roles.js';
import { sendPicture, pictureRead } from './picture-read.js';

export const jobPicture = defineQuery('job_picture', {
  path: '/jobs/:slug/picture.png',
  ...pictureRead('a job', { slug: 'job-123456789012' }),
  params: { slug: optional(c.slug, 'The job') },
  uses: { models: ReadModels, clock: Clock, pictures: Pictures },
  async find({ slug = '' }, { models, clock, pictures }, http) {
    const role = await models.of(Roles).get(slug);
    rule(role !== undefined, 'not_found', 'There is no such job.');
    const { title, budget } = role.body;
    const pay = budget ? `${budget.usd} ${budget.token} a seat` : 'no pay';
    const card = { kind: 'Job', title, facts: [pay, await seatsText(models, role.body, clock.now())], id: slug };
    return sendPicture(PAGE_PATHS.job(slug), card, pictures, http);
  },
});

async function seatsText(models: ReadModels, role: RoleDocument, now: number): Promise<string> {
  if (!isOpenRole(role, now)) return 'closed';
  const { size } = await findSuspendedPosters(models, [role]);
  return size > 0
    ? 'takes no applications now'
    : `${Math.max(0, role.seats - role.hired.length)} of ${role.seats} seats`;
}
