import { optional } from '#libs/checks/fields.js';
import * as c from '#libs/checks/words.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Clock } from '#libs/kernel/clock.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { rule } from '#libs/kernel/refusal.js';
import { Pictures } from '#libs/pictures/pictures.js';
import { read } from '#libs/verbs/read.js';
import { isOpenRole, Roles } from '#libs/views/roles.js';
import { answerPicture, pictureOf } from './answer-picture.js';

export const jobPicture = read('job_picture', {
  path: '/jobs/:slug/picture.png',
  ...pictureOf('a job', { slug: 'job-123456789012' }),
  params: { slug: optional(c.slug, 'The role') },
  uses: { models: ReadModels, clock: Clock, pictures: Pictures },
  async find({ slug = '' }, { models, clock, pictures }, http) {
    const found = await models.of(Roles).get(slug);
    rule(found !== undefined, 'not_found', 'There is no such role.');
    const { title, budget, seats, hired } = found.body;
    const pay = budget ? `${budget.usd} ${budget.token} a seat` : 'unpaid';
    const open = isOpenRole(found.body, clock.now())
      ? `${Math.max(0, seats - hired.length)} of ${seats} seats`
      : 'closed';
    const card = { kind: 'Job', title, facts: [pay, open], id: slug };
    return answerPicture(PAGE_PATHS.job(slug), card, pictures, http);
  },
});
